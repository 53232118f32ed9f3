create or replace function api.create_exception(
    start_time timestamptz,
    end_time timestamptz,
    kind text,
    spot_id uuid default null
)
  returns parking.exceptions
  language plpgsql
  set search_path = ''
as $$
declare
  v_exception parking.exceptions;
begin
  perform private.lock_own_spots(create_exception.spot_id);
  perform private.require_approved();

  insert into parking.exceptions (spot_id, owner_id, start_time, end_time, kind)
  select s.id,
         s.owner_id,
         create_exception.start_time,
         create_exception.end_time,
         create_exception.kind
    from (
      select s.id, s.owner_id from parking.spots s where s.id = create_exception.spot_id
      union all
      select null, (select private.caller_id()) where create_exception.spot_id is null
    ) s
  returning * into v_exception;

  if v_exception.id is null then
    perform private.refuse('exceptions_of_a_spot', '23503');
  end if;

  -- A pattern publishes what the rules allow, week by week. Who is away hears at once of a rule that is in the way.
  if v_exception.kind = 'share' then
    insert into parking.availabilities (spot_id, owner_id, start_time, end_time, source_id)
    select s.id, s.owner_id, lower(p.piece), upper(p.piece), v_exception.id
      from parking.spots s
     cross join lateral unnest(
       tstzmultirange(
         tstzrange(v_exception.start_time, v_exception.end_time) * tstzrange(private.next_minute(), null)
       ) - coalesce(
         (
           select range_agg(a.during)
             from parking.availabilities a
            where a.spot_id = s.id
              and a.start_time < v_exception.end_time
              and a.end_time > v_exception.start_time
         ),
         '{}'
       )
     ) gap
     cross join lateral private.pieces_of(gap, private.limits_of(s.id)) p (piece)
     where s.owner_id = v_exception.owner_id
       and s.retired_at is null
       and s.id = coalesce(v_exception.spot_id, s.id)
     order by s.id, p.piece
     limit 1; -- the first that is missing: its rule refuses it
  end if;

  perform set_config('request.exception', v_exception.id::text, true); -- for api.claims_in_exception
  return v_exception;
end;
$$;

comment on function api.create_exception is
  'Say that you need your spots, or are away: what is free is withdrawn, or shared';
grant execute on function api.create_exception to parking_api;
