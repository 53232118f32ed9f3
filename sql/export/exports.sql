/*
 * All that is held about people: each table that names a person has a part here. A person finds the ids of a
 * part, and an id finds its record again. Small parts stand under the id of the person. Values made from a row
 * stand in "record" alone, so that a search for ids does not compute them.
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
  select 'access_notes', a.owner_id, a.spot_id, to_jsonb(a)
    from parking.spot_access a
  union all
  select 'availabilities', a.owner_id, a.id, to_jsonb(a) - 'during'
    from parking.availabilities a
  union all
  select 'claims_made', c.claimer_id, c.id, to_jsonb(c) - '{held, holds, takes, cancelled_by, made_by}'::text[] || jsonb_build_object(
           'spot_number', s.spot_number,
           'contact', (select to_jsonb(k) - '{claim_id, access_notes}'::text[] from parking.contacts k where k.claim_id = c.id)
         )
    from parking.claims c
    left join parking.spots s on s.id = c.spot_id
  union all
  select 'claims_received', c.owner_id, c.id, to_jsonb(c) - '{held, holds, takes, cancelled_by, made_by}'::text[] || jsonb_build_object(
           'spot_number', s.spot_number,
           'contact', (select to_jsonb(k) - '{claim_id, access_notes}'::text[] from parking.contacts k where k.claim_id = c.id)
         )
    from parking.claims c
    left join parking.spots s on s.id = c.spot_id
   where (select private.is_approved()) -- as the policies show claims of others
  union all
  select 'patterns', p.owner_id, p.id, to_jsonb(p)
    from parking.patterns p
  union all
  select 'exceptions', e.owner_id, e.id, to_jsonb(e)
    from parking.exceptions e
  union all
  select 'wishes', w.wisher_id, w.id, to_jsonb(w) - 'asked_in'
    from parking.wishes w
  union all
  select 'favorite_spots', f.person_id, f.id, to_jsonb(f)
    from parking.favorite_spots f
  union all
  select 'freed_times', f.freed_by, f.freed_by, to_jsonb(f) - 'freed_in'
    from private.freed_times f
  union all
  select 'reports_made', r.reporter_id, r.id, to_jsonb(r) - 'holder_id'
    from parking.spot_reports r
  union all
  select 'reports_received', r.holder_id, r.id, to_jsonb(r) - 'reporter_id'
    from parking.spot_reports r
  union all
  select 'invitations', i.profile_id, i.id, to_jsonb(i) - 'inviter_id'
    from parking.invitations i
  union all
  select 'keys', k.maker_id, k.id, to_jsonb(k) - 'secret_hash'
    from parking.keys k
  union all
  select 'passkeys', p.account_id, p.id, to_jsonb(p) - '{credential_id,public_key,counter}'::text[]
    from identity.passkeys p
  union all
  select 'calendar_feed', f.person_id, f.person_id, to_jsonb(f) - 'secret_hash'
    from parking.calendar_feeds f
  union all
  select 'push_subscriptions', s.person_id, s.person_id, to_jsonb(s) - '{p256dh,auth}'::text[]
    from parking.push_subscriptions s
  union all
  select 'sign_in_account', a.id, a.id, to_jsonb(a)
    from identity.accounts a
  union all
  select 'sign_ins', d.account_id, d.account_id, jsonb_build_object(
           'signed_in_at', d.signed_in_at, 'expires_at', d.expires_at
         )
    from identity.documents d
   where d.model = 'Session'
     and d.account_id is not null
     and d.expires_at > clock_timestamp()
  union all
  select 'address_changes', c.account_id, c.id, to_jsonb(c) - 'given_by'
    from private.address_changes c
  union all
  select 'preferences', p.person_id, p.person_id, to_jsonb(p)
    from parking.preferences p
  union all
  select 'notifications', n.recipient_id, n.id, to_jsonb(n)
    from parking.notifications n
  union all
  select 'history', s.person_id, s.subject_id, jsonb_build_object(
           'subject_id', s.subject_id,
           'events', (
             select jsonb_agg(
                      to_jsonb(e) - '{id, subject_id, actor_id, position}'::text[]
                        || jsonb_build_object(
                          'data', private.event_data(e.type, e.data),
                          'by_you', e.actor_id is not distinct from s.person_id
                        )
                      order by e.id
                    )
               from private.events e
              where e.subject_id = s.subject_id
           )
         )
    -- The log names only what an event is about. What is deleted is found by its deletion.
    from (
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
       where e.type in ('spot.deleted', 'claim.deleted')
    ) s
  union all
  -- Only the act, if others own the row.
  select 'acts', e.actor_id, e.id, to_jsonb(e) - '{id, actor_id, data, position}'::text[]
    from private.events e
   where e.reason is not null
      or e.type in (
        'profile.approved', 'profile.updated', 'profile.erased', 'spot.verified', 'spot.updated',
        'spot.deleted', 'availability.deleted', 'claim.deleted'
      )
  union all
  select 'answers', k.person_id, k.person_id, to_jsonb(k) - 'fingerprint'
    from private.idempotency_keys k
  union all
  select 'counts', c.claimer_id, c.claimer_id, jsonb_build_object(
           'person_id', c.claimer_id, 'counted', c.status, 'number', count(*)
         )
    from parking.claims c
   group by c.claimer_id, c.status;

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
