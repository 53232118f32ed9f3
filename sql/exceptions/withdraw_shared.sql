create or replace function private.withdraw_shared(exception_id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- the API role may not read what an exception did, nor keep the history of a window
  set search_path = ''
as $$
declare
  v_now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_windows constant parking.availabilities[] := array(
    select w from private.shared_windows(withdraw_shared.exception_id) w
  );
begin
  -- What an exception of kind keep took of these windows is not to come back.
  delete from private.exception_changes t
   using parking.exceptions e, private.exception_changes own
   where e.id = withdraw_shared.exception_id
     and e.kind = 'share'
     and e.owner_id = (select private.caller_id())
     and own.exception_id = e.id
     and t.exception_id <> e.id
     and t.spot_id = own.spot_id
     and t.window_id = own.window_id
     and t.start_time >= own.start_time
     and t.end_time <= own.end_time;

  perform private.withdraw_all(array(
    select w.id from unnest(v_windows) w where w.start_time >= v_now
  ));

  -- Windows that have begun keep the part until now.
  update parking.availabilities a
     set end_time = v_now
    from unnest(v_windows) w
   where a.id = w.id
     and w.start_time < v_now;
end;
$$;

comment on function private.withdraw_shared is
  'Withdraws the free windows that an exception of the caller, of kind share, published.';
grant execute on function private.withdraw_shared to parking_api;
