create or replace function private.reconcile_freed()
  returns trigger
  language plpgsql
  security invoker -- what is published is published under the limits of the building
  set search_path = ''
as $$
declare
  v_windows uuid[];
begin
  -- Mostly nobody has made a plan: only then is a window of one, or kept in part.
  if pg_relation_size('parking.patterns', 'main') = 0 and pg_relation_size('parking.exceptions', 'main') = 0 then
    return null;
  end if;
  if tg_op = 'DELETE' then
    v_windows := array(select d.holds from deleted d where d.holds is not null);
  else
    v_windows := array[new.availability_id];
  end if;
  perform private.reconcile(f.spot_id)
     from private.freed_by_claims(v_windows) f (spot_id);
  return null;
end;
$$;

comment on function private.reconcile_freed is
  'Trigger function: sets anew what the spots of claims offer that free their windows.';

-- Triggers run in the order of their names: these after those that set what is free.
create or replace trigger reconcile_freed
  after update of status, start_time, end_time on parking.claims
  for each row
  when (old.held is not null and (new.held @> old.held) is not true)
  execute function private.reconcile_freed();

create or replace trigger reconcile_freed_of_deleted
  after delete on parking.claims
  referencing old table as deleted
  for each statement
  execute function private.reconcile_freed();
