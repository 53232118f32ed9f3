/* Without the policies an index alone answers: they would be asked again for each of the two counts. */
create or replace function private.total_own_claims(
    status text default null,
    start_date timestamptz default null,
    end_date timestamptz default null
)
  returns bigint
  language plpgsql
  stable
  security definer -- counts past the policies what they show: the claims of an approved caller
  set search_path = ''
as $$
declare
  v_caller_id constant uuid := private.caller_id();
  v_start_date constant timestamptz := coalesce(total_own_claims.start_date, '-infinity');
  v_end_date constant timestamptz := coalesce(total_own_claims.end_date, 'infinity');
begin
  if not private.is_approved() then
    return 0;
  end if;

  -- Nobody claims their own spot, so each claim is in one of the two: an index has all of each.
  return (
    select count(*)
      from parking.claims c
     where c.claimer_id = v_caller_id
       and c.status = coalesce(total_own_claims.status, c.status)
       and c.start_time >= v_start_date
       and c.start_time < v_end_date
       and c.end_time < v_end_date
  ) + (
    select count(*)
      from parking.claims c
     where c.owner_id = v_caller_id
       and c.status = coalesce(total_own_claims.status, c.status)
       and c.start_time >= v_start_date
       and c.start_time < v_end_date
       and c.end_time < v_end_date
  );
end;
$$;

comment on function private.total_own_claims is
  'How many claims the caller made and how many are on their spots, with these filters of GET /claims.';
grant execute on function private.total_own_claims to parking_api;
