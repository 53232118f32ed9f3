alter table parking.claims
  drop constraint if exists claims_start_before_end,
  add constraint claims_start_before_end
    check (start_time < end_time);

comment on constraint claims_start_before_end on parking.claims is
  E'@field end_time\n@de Das Ende muss nach dem Anfang liegen.\nend_time must be after start_time';
