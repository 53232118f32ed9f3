/* The log names only what an event is about. What is deleted is found by its deletion. */
create or replace view private.events_about
  with (security_invoker)
as
  select a.person_id, a.event_id, bool_or(a.is_subject) as is_subject
    from (
      select s.person_id, e.id as event_id, true as is_subject
        from (
          select p.id as person_id, p.id as subject_id
            from parking.profiles p
          union all
          select s.owner_id, s.id
            from parking.spots s
          union all
          select w.owner_id, w.id
            from parking.availabilities w
          union all
          select c.claimer_id, c.id
            from parking.claims c
          union all
          select c.owner_id, c.id
            from parking.claims c
           where (select private.is_approved()) -- as the policies show claims of others
          union all
          select d.actor_id, d.subject_id
            from private.events d
           where d.type in ('spot.deleted', 'availability.deleted', 'claim.deleted')
             and d.reason is null -- an administrator gives one
          union all
          select coalesce(d.data ->> 'claimer_id', d.data ->> 'owner_id')::uuid, d.subject_id
            from private.events d
           where d.type in ('spot.deleted', 'claim.deleted')
        ) s
        join private.events e on e.subject_id = s.subject_id
      union all
      select e.actor_id, e.id, false
        from private.events e
       where e.reason is not null
          or e.type in (
            'profile.approved', 'profile.updated', 'profile.erased', 'spot.verified', 'spot.updated',
            'spot.deleted', 'availability.deleted', 'claim.deleted'
          )
    ) a
   group by a.person_id, a.event_id;

comment on view private.events_about is
  'The events about each person: about the profile, spots, windows and claims, also deleted ones, and what the person did to others.';
comment on column private.events_about.person_id is
  'The person.';
comment on column private.events_about.event_id is
  'The event.';
comment on column private.events_about.is_subject is
  'Whether it is about the person or what is theirs, and not only done by them.';
