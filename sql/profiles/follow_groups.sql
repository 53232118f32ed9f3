/*
 * Rules about other people, such as that the owner of a claimed spot is approved, read the profile:
 * it keeps what the groups in the person's latest token said. The service calls this when a token
 * comes for the first time, so they hold from that request on.
 */
create or replace function private.follow_groups()
  returns void
  language plpgsql
  security definer -- the flags are not the person's own to write
  set search_path = ''
as $$
declare
  v_caller_id constant uuid := private.caller_id();
begin
  -- Usually nothing is new. An update that changes nothing fails on a server that only reads.
  if exists (
    select from parking.profiles p
      join private.users u on u.id = p.id
     cross join lateral private.flags_by_groups(p) flags
     where p.id = v_caller_id
       and not private.is_outdated(u.token_issued_at)
       and (
         p.is_approved, p.is_admin, p.is_approved_by_groups, p.is_admin_by_groups,
         p.is_concierge, p.is_concierge_by_groups
       ) is distinct from (
         flags.is_approved, flags.is_admin, flags.is_approved_by_groups, flags.is_admin_by_groups,
         private.is_concierge_by_token(p), private.decided_by_groups('is_concierge') is not null
       )
  ) then
    -- The rows as they are once they are locked: an administrator may set the other flag at this
    -- moment, and a later token may come.
    perform private.lock_person(v_caller_id);
    update parking.profiles p
       set (is_approved, is_admin, is_approved_by_groups, is_admin_by_groups) =
             (select flags.* from private.flags_by_groups(p) flags),
           is_concierge = private.is_concierge_by_token(p),
           is_concierge_by_groups = private.decided_by_groups('is_concierge') is not null
      from private.users u
     where p.id = v_caller_id
       and u.id = p.id
       and not private.is_outdated(u.token_issued_at);
  end if;

  perform private.note_token();
end;
$$;

comment on function private.follow_groups is
  'Keeps in the caller''s profile what the groups in the token decide.';
grant execute on function private.follow_groups to parking_api;
