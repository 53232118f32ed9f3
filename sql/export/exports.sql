/*
 * All that is held about people: a table that names a person has a part here. Its id finds a record
 * again; what a person has few of stands under the id of the person.
 */
create or replace view private.exports
  with (security_invoker)
as
  select 'profile' as member, p.id as person_id, p.id, to_jsonb(p) as record
    from parking.profiles p
  union all
  select 'user', u.id, u.id, to_jsonb(u)
    from private.users u
  union all
  select 'spots', s.owner_id, s.id, to_jsonb(s)
    from parking.spots s
  union all
  select 'availabilities', a.owner_id, a.id, to_jsonb(a) - 'during'
    from parking.availabilities a
  union all
  select 'claims_made', c.claimer_id, c.id, to_jsonb(c) - 'held' || private.export_of_claim(c.id, c.spot_id)
    from parking.claims c
  union all
  select 'claims_received', c.owner_id, c.id, to_jsonb(c) - 'held' || private.export_of_claim(c.id, c.spot_id)
    from parking.claims c
   where (select private.is_approved()) -- as the policies show claims of others
  union all
  select 'notifications', n.recipient_id, n.id, to_jsonb(n)
    from parking.notifications n
  union all
  select 'events', b.person_id, e.id, jsonb_build_object(
           'type', e.type,
           'subject_id', e.subject_id,
           'by_you', e.actor_id is not distinct from b.person_id,
           'reason', e.reason,
           'occurred_at', e.occurred_at
         ) || case when b.is_subject then jsonb_build_object('data', e.data) else '{}' end
    from private.events_about b
    join private.events e on e.id = b.event_id
  union all
  select 'answers', k.person_id, k.person_id, to_jsonb(k) - 'fingerprint'
    from private.idempotency_keys k
  union all
  select 'counts', n.person_id, n.person_id, jsonb_build_object('counted', n.counted, 'number', n.number)
    from private.person_counts n;

comment on view private.exports is
  'What GET /profile/export answers: the records of each person, under the names of its members.';
comment on column private.exports.member is
  'The member of the answer.';
comment on column private.exports.person_id is
  'Whom the record is about.';
comment on column private.exports.id is
  'Finds the record again; the id of the person where there are few such records.';
comment on column private.exports.record is
  'What is held.';
