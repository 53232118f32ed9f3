alter table parking.wishes
  drop constraint if exists wishes_start_before_end,
  add constraint wishes_start_before_end
    check (start_time < end_time);

comment on constraint wishes_start_before_end on parking.wishes is
  E'@field end_time\n@de Das Ende muss nach dem Anfang liegen.\nend_time must be after start_time';
