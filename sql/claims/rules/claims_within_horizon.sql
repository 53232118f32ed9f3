create or replace trigger claims_within_horizon
  after insert or update of start_time, end_time on parking.claims
  for each row
  execute function private.enforce_limit('horizon_days');

comment on trigger claims_within_horizon on parking.claims is
  E'@field end_time\n@de So weit im Voraus darf nicht reserviert werden.\nThe claim ends further ahead than the building allows';
