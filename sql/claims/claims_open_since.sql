/*
 * The same as private.open_since, for administrators, who see all claims. Other residents have few claims and an
 * index of their own, and must not learn about the claims of neighbours.
 */
create or replace function private.claims_open_since(moment timestamptz)
  returns timestamptz
  language sql
  stable
  security definer -- under row-level security no index serves a comparison of ranges
  set search_path = ''
return case
  when private.is_administrator() then least(
    claims_open_since.moment - interval '24 hours',
    (
      select min(o.start_time)
        from (
          select c.start_time
            from parking.claims c
           where tstzrange(c.start_time, c.end_time) @> claims_open_since.moment
             and c.end_time - c.start_time >= interval '1 day' -- as in the index
          offset 0 -- else PostgreSQL reads all claims by start until it finds one that is open
        ) o
    )
  )
  else '-infinity'
end;

comment on function private.claims_open_since is
  'For administrators: no claim that ends after the moment and has begun starts before this. For others it says nothing.';
grant execute on function private.claims_open_since to parking_api;
