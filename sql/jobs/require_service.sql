/* The service does some work for nobody in particular. Only then does the API role ask without a caller. */
create or replace function private.require_service()
  returns void
  language plpgsql
  stable
  set search_path = ''
as $$
begin
  if private.caller_id() is not null then
    raise exception using
      errcode = 'insufficient_privilege',
      message = 'This is for the service itself';
  end if;
end;
$$;

comment on function private.require_service is
  'Refuses to do in a request what is a job of the service.';
grant execute on function private.require_service to parking_api;
