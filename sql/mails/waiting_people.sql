/* A person who was approved before was suspended, and waits for nothing. Nor does one who was rejected. */
create or replace view private.waiting_people
  with (security_invoker)
as
  select p.id, p.full_name, p.apartment_number, p.created_at
    from parking.profiles p
    join private.users u on u.id = p.id
   where not p.is_approved
     and p.rejection_reason is null
     and u.erased_at is null
     and not p.is_suspended;

comment on view private.waiting_people is
  'Those who registered and wait for approval.';
comment on column private.waiting_people.id is
  'The person.';
comment on column private.waiting_people.full_name is
  'The name.';
comment on column private.waiting_people.apartment_number is
  'The apartment.';
comment on column private.waiting_people.created_at is
  'Since when the person has waited.';
