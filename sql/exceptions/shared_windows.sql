create or replace function private.shared_windows(exception_id uuid)
  returns setof parking.availabilities
  language sql
  stable
  security definer -- the API role may not read what an exception did
  set search_path = ''
as $$
  select a.*
    from parking.exceptions e
    join private.exception_changes t on t.exception_id = e.id
    join parking.availabilities a on a.spot_id = t.spot_id
   where e.id = shared_windows.exception_id
     and e.kind = 'share'
     and e.owner_id = (select private.caller_id())
     and not a.is_claimed
     -- Where its owner has given it other times since, it is another offer.
     and a.start_time >= t.start_time
     and a.end_time <= t.end_time
     and a.end_time > clock_timestamp()
     and private.origin_of(a.id) = t.window_id
$$;

comment on function private.shared_windows is
  'The free windows that an exception of the caller, of kind share, published and that have not ended.';
grant execute on function private.shared_windows to parking_api;
