alter table parking.exceptions
  drop constraint if exists exceptions_start_before_end,
  add constraint exceptions_start_before_end
    check (start_time < end_time);

comment on constraint exceptions_start_before_end on parking.exceptions is
  E'@field end_time\n@de Das Ende muss nach dem Anfang liegen.\nend_time must be after start_time';
