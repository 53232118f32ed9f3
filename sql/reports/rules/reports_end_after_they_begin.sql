alter domain private.reports drop constraint if exists reports_end_after_they_begin;
alter domain private.reports add constraint reports_end_after_they_begin
  check (((value).until > (value)."from") is true);

comment on constraint reports_end_after_they_begin on domain private.reports is
  E'@field until\n@de Der letzte Tag darf nicht vor dem ersten liegen.\nuntil must be after from';
