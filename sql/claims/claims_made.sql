/* For the dashboard, which would otherwise count ten years of claims. */
create or replace function private.claims_made(status text default null)
  returns bigint
  language sql
  stable
  security definer -- reads counts past the policies, only those of the caller
  set search_path = ''
return (
  select coalesce(sum(c.number), 0)
    from private.person_counts c
   where c.person_id = (select private.caller_id())
     and c.counted = coalesce(claims_made.status, c.counted)
     and (select private.is_approved())
);

comment on function private.claims_made is
  'How many claims the caller has made, all or those of one status. From counts; exact.';
grant execute on function private.claims_made to parking_api;
