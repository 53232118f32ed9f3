/* The ids of all that there is to read, by thousands: so no answer has to be in memory as a whole. */
create or replace function private.exported_ids()
  returns table (member text, ids uuid[])
  language sql
  stable
  security definer -- the log, sign-in data and counts are closed to the API role; these are only the caller's own
  set search_path = ''
as $$
  select n.member, array_agg(n.id order by n.id)
    from (
      select x.member, x.id, (row_number() over (partition by x.member order by x.id) - 1) / 1000 as piece
        from (
          select distinct e.member, e.id
            from private.exports e
           where e.person_id = (select private.caller_id())
        ) x
    ) n
   group by n.member, n.piece
   order by n.member, n.piece
$$;

comment on function private.exported_ids is
  'The ids of all that is held about the caller, by members of the export, a thousand at most in each row.';
grant execute on function private.exported_ids to parking_api;
