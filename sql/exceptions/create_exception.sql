create or replace function api.create_exception(
    start_time timestamptz,
    end_time timestamptz,
    kind text,
    spot_id uuid default null
)
  returns parking.exceptions
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
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

  if v_exception.kind = 'share' then
    perform private.require_shared(v_exception);
  end if;

  perform set_config('request.exception', v_exception.id::text, true); -- for api.claims_in_exception
  return v_exception;
end;
$$;

comment on function api.create_exception is
  'Say that you need your spots, or are away: what is free is withdrawn, or shared';
grant execute on function api.create_exception to parking_api;
