/* It changes only plans of the same owner, because an inserted window may name any source. */
create or replace function private.leave_out("window" parking.availabilities)
  returns void
  language plpgsql
  security definer -- an administrator may not write the plans of others
  set search_path = ''
as $$
begin
  perform private.require_trigger();
  update parking.patterns p
     set withdrawn = p.withdrawn * tstzmultirange(tstzrange(now(), null)) + tstzmultirange((leave_out."window").during)
   where p.id = (leave_out."window").source_id
     and p.spot_id = (leave_out."window").spot_id
     and ((select private.caller_id()) = p.owner_id or (select private.reason()) is not null);
  update parking.exceptions e
     set withdrawn = e.withdrawn + tstzmultirange((leave_out."window").during)
   where e.id = (leave_out."window").source_id
     and e.owner_id = (leave_out."window").owner_id
     and ((select private.caller_id()) = e.owner_id or (select private.reason()) is not null);
end;
$$;

comment on function private.leave_out is
  'Keeps a pattern or an exception from publishing a time again that was withdrawn by hand.';
grant execute on function private.leave_out to parking_api;

/* A new window is on offer but for the times that its owner keeps. Nobody has claimed it, so its spot need not be reconciled. */
create or replace function private.offer_unkept()
  returns trigger
  language plpgsql
  security definer -- nobody writes what follows from the rows, and the API role may take no turn
  set search_path = ''
as $$
declare
  v_window constant tstzmultirange := tstzmultirange(tstzrange(new.start_time, new.end_time));
  v_offered tstzmultirange;
begin
  perform private.take_turn('plans', new.owner_id); -- see private.lock_own_spots
  v_offered := v_window - private.kept_times(new.spot_id, new.end_time);
  if v_offered <> v_window then
    new.offered := v_offered;
    new.free := private.spans(v_offered);
  end if;
  return new;
end;
$$;

-- After private.lock_spot: triggers run in the order of their names.
create or replace trigger offer_unkept
  before insert on parking.availabilities
  for each row
  when (new.start_time < new.end_time and pg_relation_size('parking.exceptions', 'main') > 0)
  execute function private.offer_unkept();

/* What a claim frees may no longer be on offer, or in another window. */
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
    v_windows := array[old.holds];
  end if;
  perform private.reconcile(f.spot_id)
     from private.freed_by_claims(v_windows) f (spot_id);
  return null;
end;
$$;

-- Triggers run in the order of their names: these after those that set what is free.
create or replace trigger reconcile_freed
  after update of status, start_time, end_time on parking.claims
  for each row
  when (old.held is not null and (new.held @> old.held) is not true)
  execute function private.reconcile_freed();

create or replace trigger reconcile_freed_of_deleted
  after delete on parking.claims
  referencing old table as deleted
  for each statement -- once for each spot, however many of its claims are deleted
  execute function private.reconcile_freed();

/* Every change of a pattern or an exception sets anew what is on offer, also a change by direct SQL. */
create or replace function private.reconcile_spots()
  returns trigger
  language plpgsql
  security invoker -- what is published is published under the limits of the building
  set search_path = ''
as $$
begin
  -- Once for each spot, also where a statement writes several rows of it.
  if tg_level = 'STATEMENT' then
    perform private.reconcile(s.id)
       from (
         select distinct o.id
           from written w
           join parking.spots o on o.owner_id = w.owner_id and o.id = coalesce(w.spot_id, o.id)
          order by o.id
       ) s;
  else
    perform private.reconcile(new.spot_id);
  end if;
  return null;
end;
$$;

create or replace trigger reconcile_added
  after insert on parking.patterns
  referencing new table as written
  for each statement
  execute function private.reconcile_spots();

create or replace trigger reconcile_deleted
  after delete on parking.patterns
  referencing old table as written
  for each statement
  execute function private.reconcile_spots();

create or replace trigger reconcile_changed
  after update of weekdays, starts_at, ends_at, first_day, last_day on parking.patterns
  for each row
  execute function private.reconcile_spots();

create or replace trigger reconcile_added
  after insert on parking.exceptions
  referencing new table as written
  for each statement
  execute function private.reconcile_spots();

create or replace trigger reconcile_deleted
  after delete on parking.exceptions
  referencing old table as written
  for each statement
  execute function private.reconcile_spots();

/* A window that is moved by hand is one by hand from then on. */
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

-- Only for statements of people: what triggers write follows from the plans.
create or replace trigger take_over
  before update of start_time, end_time on parking.availabilities
  for each row
  when (
    (new.start_time, new.end_time) is distinct from (old.start_time, old.end_time)
    and pg_trigger_depth() = 0
  )
  execute function private.take_over();

/*
 * A source does not publish a time again after its owner, or an administrator with a reason, has withdrawn or moved
 * the window. Another source may still share that time.
 */
create or replace function private.withdraw_by_hand()
  returns trigger
  language plpgsql
  security invoker -- what follows is published under the limits of the building
  set search_path = ''
as $$
begin
  if old.source_id is not null then
    perform private.leave_out(old);
  end if;
  perform private.reconcile(old.spot_id);
  return null;
end;
$$;

-- Only for statements of people: what triggers write follows from the plans.
create or replace trigger withdraw_by_hand
  after update of start_time, end_time on parking.availabilities
  for each row
  when (
    (new.start_time, new.end_time) is distinct from (old.start_time, old.end_time)
    and pg_trigger_depth() = 0
  )
  execute function private.withdraw_by_hand();

create or replace trigger withdraw_deleted_by_hand
  after delete on parking.availabilities
  for each row
  when (pg_trigger_depth() = 0)
  execute function private.withdraw_by_hand();
