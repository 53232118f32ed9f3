-- Each day of a shared time may be a window of its own, if the building limits the length of windows.
alter table parking.exceptions
  drop constraint if exists exceptions_last_a_year_at_most,
  add constraint exceptions_last_a_year_at_most
    check (end_time - start_time <= interval '366 days');

comment on constraint exceptions_last_a_year_at_most on parking.exceptions is
  E'@field end_time\n@de Das geht für höchstens 366 Tage.\nAn exception lasts 366 days at most';
