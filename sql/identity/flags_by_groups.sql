/* The one definition of who is approved and who administers, now that the caller's token has come. */
create or replace function private.flags_by_groups(profile parking.profiles)
  returns table (
    is_approved boolean,
    is_admin boolean,
    is_approved_by_groups boolean,
    is_admin_by_groups boolean
  )
  language sql
  stable
  parallel safe
  rows 1
begin atomic
  -- No subquery, so that the planner puts the one expression that a caller reads in its place.
  select
      coalesce(private.decided_by_groups('is_approved'), profile.is_approved),
      coalesce(private.decided_by_groups('is_admin'), profile.is_admin),
      private.decided_by_groups('is_approved') is not null,
      private.decided_by_groups('is_admin') is not null;
end;

comment on function private.flags_by_groups is
  'The flags of the caller''s profile: as the groups in the token decide them, else as they are stored.';
