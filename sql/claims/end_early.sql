/* Where the rest of a window stays on offer, a claim that is completed early keeps what it used. */
create or replace function private.end_early()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- Not a later moment than that of the change: claims_closed_stay_closed compares them.
  new.end_time := least(new.end_time, date_trunc('milliseconds', clock_timestamp()));
  return new;
end;
$$;

comment on function private.end_early is
  'Trigger function: a claim that is completed before its end ends at that moment.';

-- Triggers run in the order of their names: after the rules, which judge the times that the client wrote.
create or replace trigger end_early
  before update of status on parking.claims
  for each row
  when (
    old.status = 'active'
    and new.status = 'completed'
    and new.start_time < date_trunc('milliseconds', clock_timestamp()) -- before, it has used nothing
    and new.end_time > clock_timestamp()
    and (private.building()).rest_stays_on_offer
  )
  execute function private.end_early();
