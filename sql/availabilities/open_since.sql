/*
 * A list is read by the start of its windows, but a window that is open at a moment may have started long before.
 * Windows of a spot do not overlap, so few are open at one moment.
 */
create or replace function private.open_since(moment timestamptz)
  returns timestamptz
  language sql
  stable
  security definer -- under row-level security no index serves a comparison of ranges
  set search_path = ''
return coalesce(
  (
    select min(o.start_time)
      from (
        select a.start_time
          from parking.availabilities a
         -- Also those that end at the moment. Times have no parts of a millisecond.
         where a.during && tstzrange(
           open_since.moment - interval '1 millisecond',
           open_since.moment,
           '[]'
         )
           and (select private.is_approved())
        offset 0 -- else PostgreSQL reads all windows by start until it finds one that is open
      ) o
  ),
  open_since.moment
);

comment on function private.open_since is
  'No window that is open at the moment, or ends or starts then, starts before this. The moment itself, where the caller is not approved.';
grant execute on function private.open_since to parking_api;
