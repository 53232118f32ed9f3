/* The log names only what an event is about. What is deleted is found by its deletion. */
create or replace view private.subjects
  with (security_invoker)
as
  select p.id as person_id, p.id as subject_id
    from parking.profiles p
  union
  select s.owner_id, s.id
    from parking.spots s
  union
  select a.owner_id, a.id
    from parking.availabilities a
  union
  select c.claimer_id, c.id
    from parking.claims c
  union
  select c.owner_id, c.id
    from parking.claims c
   where (select private.is_approved()) -- as the policies show claims of others
  union
  select r.reporter_id, r.id
    from parking.spot_reports r
  union
  select e.actor_id, e.subject_id
    from private.events e
   where e.type in ('spot.deleted', 'availability.deleted', 'claim.deleted')
     and e.reason is null -- an administrator gives one
  union
  select coalesce(e.data ->> 'claimer_id', e.data ->> 'owner_id')::uuid, e.subject_id
    from private.events e
   where e.type in ('spot.deleted', 'claim.deleted');

comment on view private.subjects is
  'What belongs to each person, or belonged: profile, spots, windows, claims made and received, and reports.';
comment on column private.subjects.person_id is
  'The person.';
comment on column private.subjects.subject_id is
  'What events are about.';
