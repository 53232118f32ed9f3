-- After the claim, not before: it may have waited for the transaction that offers its window.
create or replace trigger claims_wait_for_offers
  after insert or update of start_time, end_time on parking.claims
  for each row
  when (row_security_active('parking.claims')) -- binds people, not the owner of the table
  execute function private.enforce_offers();

comment on trigger claims_wait_for_offers on parking.claims is
  E'@status 409\n@de Bis {until} ist der Stellplatz jemandem vorbehalten, der darauf gewartet hat.\nUntil {until} this is offered to somebody who waited for it';
