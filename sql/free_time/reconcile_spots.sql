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

comment on function private.reconcile_spots is
  'Trigger function: sets anew what the spots of rows offer: the spot of each, or all of its owner.';

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
