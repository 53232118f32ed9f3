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
