create or replace trigger claims_of_an_approved_owner
  before insert or update of start_time, end_time on parking.claims
  for each row
  when (row_security_active('parking.claims')) -- binds people, not the owner of the table
  execute function private.enforce_approved_owner('42501');

comment on trigger claims_of_an_approved_owner on parking.claims is
  E'@de Das Konto der Person, der der Stellplatz gehört, ist zurzeit nicht freigegeben. Darum lässt er sich nicht reservieren.\nThe owner of this parking spot is not approved';
