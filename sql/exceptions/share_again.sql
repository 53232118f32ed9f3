/* What ended an offer ended it for itself: what an exception shares of that time is on offer again. */
create or replace function private.share_again(
    spot_id uuid,
    gone tstzmultirange,
    newer_than uuid default null
)
  returns void
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_shared parking.exceptions;
begin
  for v_shared in
    select e.id, e.owner_id, e.own_spot_id, lower(span), upper(span), e.kind, e.created_at, e.updated_at
      from (
        select e.*,
               s.id as own_spot_id,
               tstzmultirange(whole) * gone - coalesce(range_agg(whole) over earlier, '{}') as times
          from parking.exceptions e
          join parking.spots s
            on s.owner_id = e.owner_id
           and s.retired_at is null
           and s.id = coalesce(e.spot_id, s.id)
           and s.id < e.id -- one that came later was never shared by it
         cross join lateral tstzrange(e.start_time, e.end_time) whole
         where e.owner_id = (select private.caller_id())
           and e.kind = 'share'
           and s.id = coalesce(share_again.spot_id, s.id)
           and (newer_than is null or e.id > newer_than)
        -- Each time once, by the first that shares it: they may be fifty, and the times of a year.
        window earlier as (
          partition by s.id
          order by e.start_time, e.id
          rows between unbounded preceding and 1 preceding
        )
      ) e
     cross join lateral unnest(e.times) span
     where upper(span) > clock_timestamp()
     order by e.start_time, e.id, e.own_spot_id, span
  loop
    begin
      perform private.share_own_spots(v_shared);
    exception
      -- As in private.restore_kept. A limit of one spot is none of another.
      when check_violation then null;
    end;
  end loop;
end;
$$;

comment on function private.share_again is
  'Offers what exceptions of the caller, of kind share, have of these times: of one spot, or of all where it is null; only of exceptions that were made after another, where that is given.';
grant execute on function private.share_again to parking_api;
