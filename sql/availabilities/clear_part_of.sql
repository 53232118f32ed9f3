/* A piece that its owner moves is a window of its own: it was not offered like this before. */
create or replace function private.clear_part_of()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.part_of := null;
  return new;
end;
$$;

comment on function private.clear_part_of is
  'Trigger function: a piece of a window that is moved is not joined with the others any more.';

create or replace trigger clear_part_of
  before update of start_time, end_time on parking.availabilities
  for each row
  when (
    (new.start_time, new.end_time) is distinct from (old.start_time, old.end_time)
    and old.part_of is not null
    -- Claims and exceptions cut pieces with the rights of the owner of the table.
    and pg_trigger_depth() = 0
    and row_security_active('parking.availabilities')
  )
  execute function private.clear_part_of();
