create or replace function private.take_over()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.source_id := null;
  new.pattern_id := null;
  -- Set anew by private.reconcile.
  new.offered := null;
  new.free := null;
  new.free_since := clock_timestamp();
  return new;
end;
$$;

comment on function private.take_over is
  'Trigger function: a window that is moved by hand is one by hand from then on.';

-- Only for statements of people: what triggers write follows from the plans.
create or replace trigger take_over
  before update of start_time, end_time on parking.availabilities
  for each row
  when (
    (new.start_time, new.end_time) is distinct from (old.start_time, old.end_time)
    and pg_trigger_depth() = 0
  )
  execute function private.take_over();
