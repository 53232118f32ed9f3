create or replace view reporting.approvals as
  select p.id as profile_id,
         p.created_at as registered_at,
         a.approved_at,
         p.is_approved,
         p.is_admin,
         private.hours(tstzrange(p.created_at, greatest(a.approved_at, p.created_at))) as waiting_hours
    from parking.profiles p
    left join lateral (
      select min(e.occurred_at) as approved_at
        from private.events e
       where e.subject_id = p.id
         and e.type = 'profile.approved'
    ) a on true;

comment on view reporting.approvals is
  'One row for each account: when it was registered and first approved.';
comment on column reporting.approvals.profile_id is
  'The account; a key to count by, not a name.';
comment on column reporting.approvals.registered_at is
  'When the account was registered.';
comment on column reporting.approvals.approved_at is
  'When it was first approved; null if it never was.';
comment on column reporting.approvals.is_approved is
  'Whether it is approved now.';
comment on column reporting.approvals.is_admin is
  'Whether it has administrator privileges now.';
comment on column reporting.approvals.waiting_hours is
  'Hours from registration to first approval; null if it never was.';
grant select on reporting.approvals to parking_reporter;
