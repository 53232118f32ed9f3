alter table private.events
  drop constraint if exists events_reason_is_one_line,
  add constraint events_reason_is_one_line
    check (private.is_one_line(reason, 1, 300));

comment on constraint events_reason_is_one_line on private.events is
  E'@field reason\n@de Der Grund hat 1 bis 300 Zeichen in einer Zeile.\nreason must be 1 to 300 characters on one line';
