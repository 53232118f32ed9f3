alter table private.exception_changes
  drop constraint if exists exception_changes_of_an_exception,
  add constraint exception_changes_of_an_exception
    foreign key (exception_id)
    references parking.exceptions (id)
    on delete cascade;

comment on constraint exception_changes_of_an_exception on private.exception_changes is
  E'@status 404\nException not found';
