-- One-off DDL goes here. npm run db:commit adds the changed files of sql/.

-- Those whose approval was taken back before the column was there. Their row shows it from now on.
alter table parking.profiles
  add column if not exists is_suspended boolean not null default false;
update parking.profiles p
   set is_suspended = true
 where not p.is_approved
   and exists (
     select from private.events e
      where e.type = 'profile.approved'
        and e.subject_id = p.id
   );
