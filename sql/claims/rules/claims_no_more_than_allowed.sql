create or replace trigger claims_no_more_than_allowed
  after insert or update of end_time on parking.claims
  for each row
  when (row_security_active('parking.claims')) -- binds people, not the owner of the table
  execute function private.enforce_most_claims();

comment on trigger claims_no_more_than_allowed on parking.claims is
  E'@status 409\n@de Sie haben so viele Reservierungen, wie eine Person haben darf. Erst muss eine enden oder storniert werden.\nYou have as many claims that have not ended as the building allows';
