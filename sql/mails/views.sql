/*
 * The people who can be reached, once for each channel. An address that the identity provider did not confirm
 * may belong to somebody else, who must not read it; a device belongs to the person who signed in there. A
 * person who is not approved reads only that they were rejected.
 */
create or replace view private.recipients
  with (security_invoker)
as
  select p.id,
         c.channel,
         u.email,
         p.is_admin,
         case
         when p.is_approved then c.kinds
         else array(select k.kind from unnest(c.kinds) k (kind) where k.kind = 'profile.rejected')
       end as kinds,
         coalesce(f.language, b.language) as language,
         coalesce(f.remind_minutes, b.remind_minutes) as remind_minutes
    from parking.profiles p
    join private.users u on u.id = p.id
   cross join parking.building b
    left join parking.preferences f on f.person_id = p.id
   cross join lateral (
     values ('mail', coalesce(f.mail, b.mail), u.email_confirmed_at is not null),
            (
              'push',
              coalesce(f.push, b.mail),
              exists (select from parking.push_subscriptions s where s.person_id = p.id)
            )
   ) c (channel, kinds, is_reached)
   where (p.is_approved or p.rejection_reason is not null)
     and u.erased_at is null
     and c.is_reached;

comment on view private.recipients is
  'People who are approved, or rejected, and what they want by mail, if their address is confirmed, and by push, if they have a device.';
comment on column private.recipients.id is
  'The person.';
comment on column private.recipients.channel is
  'mail or push.';
comment on column private.recipients.email is
  'The address.';
comment on column private.recipients.is_admin is
  'Whether the person is an administrator.';
comment on column private.recipients.kinds is
  'The kinds of messages that the person gets by this channel.';
comment on column private.recipients.language is
  'The language of the messages.';
comment on column private.recipients.remind_minutes is
  'How long before a claim starts, and before it ends, the person is reminded.';

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
