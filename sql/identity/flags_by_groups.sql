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
  select
      case decided.approval
        when true then profile.email <> profile.id || '@erased.invalid' -- an erased account stays closed
        when false then false
        else profile.is_approved
      end,
      coalesce(decided.administration, profile.is_admin),
      decided.approval is not null,
      decided.administration is not null
    from (
      select private.decided_by_groups('is_approved') as approval,
             private.decided_by_groups('is_admin') as administration
      offset 0 -- each is read once
    ) decided;
end;

comment on function private.flags_by_groups is
  'The flags of the caller''s profile: as the groups in the token decide them, else as they are stored.';
