/* The reporter is the owner or the claimer of this moment. The other of the two may know whose car it is. */
create or replace function private.find_holder()
  returns trigger
  language plpgsql
  security definer -- an owner reads who claimed, and the row says it to the other only
  set search_path = ''
as $$
declare
  v_owner_id constant uuid := (select s.owner_id from parking.spots s where s.id = new.spot_id);
begin
  new.holder_id := case
    when v_owner_id <> new.reporter_id then v_owner_id
    else (
      select c.claimer_id
        from parking.claims c
       where c.spot_id = new.spot_id
         and c.start_time <= clock_timestamp()
         and c.end_time > clock_timestamp()
         and c.status = 'active'
       limit 1
    )
  end;
  return new;
end;
$$;

comment on function private.find_holder is
  'Trigger function: finds out whom a report concerns besides the reporter.';

create or replace trigger find_holder
  before insert on parking.spot_reports
  for each row
  execute function private.find_holder();
