/* Each policy asks, so this is an expression that the planner puts in its place. Mostly nothing is parsed. */
create or replace function private.decided_by_groups(flag text)
  returns boolean
  language sql
  stable
  parallel safe
return case
  when strpos(current_setting('request.jwt.claims', true), '"is_a') > 0
    then private.claimed_by_groups(flag)
end;

comment on function private.decided_by_groups is
  'What the groups in the caller''s token say of is_approved or is_admin; null where the identity provider does not decide it, and for an account that was erased.';
grant execute on function private.decided_by_groups to parking_api;
