alter table parking.profiles
  drop constraint if exists profiles_rejection_reason_is_one_line,
  add constraint profiles_rejection_reason_is_one_line
    check (private.is_one_line(rejection_reason, 1, 300));

comment on constraint profiles_rejection_reason_is_one_line on parking.profiles is
  E'@field rejection_reason\n@de Der Grund hat 1 bis 300 Zeichen in einer Zeile.\nrejection_reason must be 1 to 300 characters on one line';
