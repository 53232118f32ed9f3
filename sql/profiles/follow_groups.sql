/*
 * Rules about other people, such as that the owner of a claimed spot is approved, read the profile:
 * it keeps what the groups in the person's last token said. The service calls this when a token comes
 * for the first time, so they hold from that request on.
 */
create or replace function private.follow_groups()
  returns void
  language plpgsql
  volatile
  security definer -- the flags are not the person's own to write
  set search_path = ''
as $$
begin
  -- Usually nothing is new. An update that changes nothing fails on a server that only reads.
  if not exists (
    select from parking.profiles p
     cross join lateral private.flags_by_groups(p) flags
     where p.id = (select private.caller_id())
       and (p.is_approved, p.is_admin, p.is_approved_by_groups, p.is_admin_by_groups)
         is distinct from
         (flags.is_approved, flags.is_admin, flags.is_approved_by_groups, flags.is_admin_by_groups)
  ) then
    return;
  end if;

  -- The row as it is once it is locked: an administrator may set the other flag at this moment.
  perform private.lock_person(private.caller_id());
  update parking.profiles p
     set (is_approved, is_admin, is_approved_by_groups, is_admin_by_groups) =
           (select flags.* from private.flags_by_groups(p) flags)
   where p.id = (select private.caller_id());
end;
$$;

comment on function private.follow_groups is
  'Keeps in the caller''s profile what the groups in the token decide.';
grant execute on function private.follow_groups to parking_api;
