create or replace trigger claims_with_notice
  after insert or update of start_time on parking.claims
  for each row
  execute function private.enforce_limit('claim_notice_minutes');

comment on trigger claims_with_notice on parking.claims is
  E'@field start_time\n@de Die Reservierung beginnt früher, als hier erlaubt ist.\nThe claim starts sooner than the building allows';
