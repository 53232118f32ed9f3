create or replace trigger spots_with_active_claims_stay
  before delete on parking.spots
  for each row
  execute function private.enforce_no_active_claims();

comment on trigger spots_with_active_claims_stay on parking.spots is
  E'@status 409\n@de Dieser Stellplatz ist reserviert. Er lässt sich entfernen, sobald diese Reservierungen vorbei sind.\nCannot delete a parking spot with active claims';
