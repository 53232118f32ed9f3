/* The service sets these members where its settings name a group (AUTH_APPROVED_GROUP, AUTH_ADMIN_GROUP). */
create or replace function private.decided_by_groups(flag text)
  returns boolean
  language sql
  stable
  parallel safe
return case private.token_claims() -> flag
  when 'true'::jsonb then true
  when 'false'::jsonb then false
end;

comment on function private.decided_by_groups is
  'What the groups in the caller''s token say of is_approved or is_admin; null where the identity provider does not decide it.';
grant execute on function private.decided_by_groups to parking_api;
