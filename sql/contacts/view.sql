/* The owner of a claimed spot and its claimer see whom they share it with. Nobody else does. */
-- The view reads profiles as its owner, because the policies show residents only their own: its
-- conditions are the policy. With security_barrier no function of a query sees a row before them.
create or replace view parking.contacts
  with (security_barrier)
as
  select c.id as claim_id,
         case p.id when c.owner_id then 'owner' else 'claimer' end as role,
         p.full_name,
         p.apartment_number,
         case when p.shares_phone_number then p.phone_number end as phone_number,
         a.access_notes
    from parking.claims c
    join parking.profiles p on p.id in (c.owner_id, c.claimer_id)
    -- For the claimer, whom the owner lets in until the claim ends.
    left join parking.spot_access a
      on a.spot_id = c.spot_id
     and p.id = c.owner_id
     and c.status = 'active'
     and c.end_time > now()
   where (select private.caller_id()) in (c.owner_id, c.claimer_id)
     and p.id <> (select private.caller_id())
     and c.status <> 'cancelled' -- there is nothing to agree on any more
     and (select private.is_approved());

comment on view parking.contacts is
  E'@absent Contact not found\nThe other person of a claim that is not cancelled: on a spot of the caller, or by the caller.';
comment on column parking.contacts.claim_id is
  'The claim.';
comment on column parking.contacts.role is
  'What the person is to the claim: the owner of the spot, or the claimer.';
comment on column parking.contacts.full_name is
  'The person''s name, if they gave it.';
comment on column parking.contacts.apartment_number is
  'The person''s apartment.';
comment on column parking.contacts.phone_number is
  'The person''s phone number, if they gave one and share it.';
comment on column parking.contacts.access_notes is
  'How to get to the spot, for the claimer until the claim ends, if the owner said it.';
grant select on parking.contacts to parking_api;

create or replace function api.get_claim_contacts(id uuid)
  returns setof parking.contacts
  language sql
  stable
  rows 1
as $$
  select c.*
    from parking.contacts c
   where c.claim_id = get_claim_contacts.id
$$;

comment on function api.get_claim_contacts is
  'The other person of a claim that is not cancelled: the owner for the claimer, the claimer for the owner';
grant execute on function api.get_claim_contacts to parking_api;
