alter table private.freed_times
  drop constraint if exists freed_times_are_not_empty,
  add constraint freed_times_are_not_empty
    check (not isempty(during));

comment on constraint freed_times_are_not_empty on private.freed_times is
  'What became free is some time';
