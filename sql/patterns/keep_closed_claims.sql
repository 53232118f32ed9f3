/* A window takes its cancelled claims along when it is deleted. Those of a series would be many. */
create or replace function private.keep_closed_claims(availability_ids uuid[])
  returns void
  language plpgsql
  volatile
  security definer -- the claims belong to other residents
  set search_path = ''
as $$
begin
  update parking.claims c
     set availability_id = other.id
    from parking.availabilities a
   cross join lateral (
     select o.id
       from parking.availabilities o
      where o.spot_id = a.spot_id
        and o.id <> all (keep_closed_claims.availability_ids)
      order by greatest(o.start_time - a.start_time, a.start_time - o.start_time), o.id
      limit 1
   ) other
   where a.id = any (keep_closed_claims.availability_ids)
     and a.owner_id = (select private.caller_id())
     and c.availability_id = a.id
     and c.status = 'cancelled';
end;
$$;

comment on function private.keep_closed_claims is
  'Before these windows of the caller are deleted: gives their cancelled claims to the window of the spot that is nearest and stays. Where none stays, they go along.';
grant execute on function private.keep_closed_claims to parking_api;
