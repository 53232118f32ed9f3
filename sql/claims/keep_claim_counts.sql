/* The counts of days and of the claimer follow each claim. */
create or replace function private.keep_claim_counts()
  returns trigger
  language plpgsql
  security definer -- only triggers write counts
  set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' then
    perform private.add_day_counts(
      private.utc_day(old.start_time),
      private.utc_day(old.end_time),
      active => -(old.status = 'active')::integer,
      completed => -(old.status = 'completed')::integer,
      cancelled => -(old.status = 'cancelled')::integer
    );
    perform private.add_person_count(old.claimer_id, old.status, -1);
  end if;
  perform private.add_day_counts(
    private.utc_day(new.start_time),
    private.utc_day(new.end_time),
    active => (new.status = 'active')::integer,
    completed => (new.status = 'completed')::integer,
    cancelled => (new.status = 'cancelled')::integer
  );
  perform private.add_person_count(new.claimer_id, new.status, 1);
  return null;
end;
$$;

comment on function private.keep_claim_counts is
  'Trigger function: counts a claim that was made, moved or closed.';

create or replace trigger keep_counts_of_made
  after insert on parking.claims
  for each row
  execute function private.keep_claim_counts();

create or replace trigger keep_counts_of_changed
  after update on parking.claims
  for each row
  when (
    (new.claimer_id, new.status, new.start_time, new.end_time)
      is distinct from (old.claimer_id, old.status, old.start_time, old.end_time)
  )
  execute function private.keep_claim_counts();
