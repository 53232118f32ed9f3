create or replace trigger claims_begin_active
  before insert on parking.claims
  for each row
  when (new.status <> 'active')
  execute function private.enforce_rule();

comment on trigger claims_begin_active on parking.claims is
  E'@field status\nA new claim is active';
