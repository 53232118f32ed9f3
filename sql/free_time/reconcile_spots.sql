/* Whoever changes a pattern, an exception or a window, by any way: what is on offer follows. */
create or replace function private.reconcile_spots()
  returns trigger
  language plpgsql
  security invoker -- what is published is published under the limits of the building
  set search_path = ''
as $$
declare
  v_row constant jsonb := to_jsonb(case tg_op when 'DELETE' then old else new end);
begin
  perform private.reconcile(s.id)
     from (
       select o.id
         from parking.spots o
        where o.id = (v_row ->> 'spot_id')::uuid
           or v_row ->> 'spot_id' is null and o.owner_id = (v_row ->> 'owner_id')::uuid
        order by o.id
     ) s;
  return null;
end;
$$;

comment on function private.reconcile_spots is
  'Trigger function: sets anew what the spot of a row offers, or all spots of its owner.';

create or replace trigger reconcile
  after insert or delete or update of weekdays, starts_at, ends_at, first_day, last_day on parking.patterns
  for each row
  execute function private.reconcile_spots();

create or replace trigger reconcile
  after insert or delete on parking.exceptions
  for each row
  execute function private.reconcile_spots();

-- A window by hand is on offer but for what its owner keeps.
create or replace trigger reconcile
  after insert on parking.availabilities
  for each row
  when (pg_trigger_depth() = 0 and pg_relation_size('parking.exceptions', 'main') > 0)
  execute function private.reconcile_spots();
