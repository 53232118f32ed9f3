alter table private.freed_times
  drop constraint if exists freed_times_are_not_empty,
  add constraint freed_times_are_not_empty
    check (not isempty(during));

comment on constraint freed_times_are_not_empty on private.freed_times is
  'A time that became free is not empty';
