/* Ids alone say little to people. */
create or replace function private.export_of_claim(id uuid, spot_id uuid)
  returns jsonb
  language sql
  stable
  set search_path = ''
return jsonb_build_object(
  'spot_number', (select s.spot_number from parking.spots s where s.id = export_of_claim.spot_id),
  'contact', (
    select to_jsonb(k) - 'claim_id'
      from parking.contacts k
     where k.claim_id = export_of_claim.id
  )
);

comment on function private.export_of_claim is
  'The number of a claim''s spot, and the other person as far as the caller sees them.';
