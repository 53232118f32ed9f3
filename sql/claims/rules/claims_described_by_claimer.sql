/* Not in the trigger's condition, which each statement would plan anew. */
create or replace function private.enforce_own_description()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if old.claimer_id is distinct from private.caller_id() then
    perform private.refuse(tg_name, '42501');
  end if;
  return new;
end;
$$;

-- A policy lets an administrator who gives a reason update any claim. This leaves its guest to the claimer.
create or replace trigger claims_described_by_claimer
  before update of guest, vehicle on parking.claims
  for each row
  when (
    (new.guest, new.vehicle) is distinct from (old.guest, old.vehicle)
    and row_security_active('parking.claims') -- binds people, not the owner of the table
  )
  execute function private.enforce_own_description();

comment on trigger claims_described_by_claimer on parking.claims is
  E'@de Wer parkt, gibt nur an, wer reserviert hat.\nOnly the claimer says who parks';
