alter table parking.availabilities
  drop constraint if exists availabilities_start_before_end,
  add constraint availabilities_start_before_end
    check (start_time < end_time);

comment on constraint availabilities_start_before_end on parking.availabilities is
  E'@field end_time\n@de Das Ende muss nach dem Anfang liegen.\nend_time must be after start_time';
