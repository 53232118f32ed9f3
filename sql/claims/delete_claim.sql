create or replace function api.delete_claim(
    id uuid,
    out message text,
    out deleted_claim_id uuid
)
  language plpgsql
  set search_path = ''
as $$
begin
  perform private.keep_spot_of_claim(delete_claim.id);

  delete from parking.claims c
   where c.id = delete_claim.id;

  if not found then
    perform private.refuse_unchanged('claims', 'claims_deleted_by_claimer', private.claim_exists(delete_claim.id));
  end if;

  message := 'Claim cancelled successfully';
  deleted_claim_id := delete_claim.id;
end;
$$;

comment on function api.delete_claim is
  'Remove your claim, which frees its window';
grant execute on function api.delete_claim to parking_api;
