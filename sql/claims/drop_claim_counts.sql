/* A spot may have thousands of claims: all that are deleted with it are counted in one statement. */
create or replace function private.drop_claim_counts()
  returns trigger
  language plpgsql
  security definer -- only triggers write counts
  set search_path = ''
as $$
begin
  perform private.add_day_counts(
    private.utc_day(d.start_time),
    private.utc_day(d.end_time),
    active => -count(*) filter (where d.status = 'active'),
    completed => -count(*) filter (where d.status = 'completed'),
    cancelled => -count(*) filter (where d.status = 'cancelled')
  )
     from deleted d
    group by private.utc_day(d.start_time), private.utc_day(d.end_time);

  perform private.add_person_count(d.claimer_id, d.status, -count(*))
     from deleted d
    group by d.claimer_id, d.status;
  return null;
end;
$$;

comment on function private.drop_claim_counts is
  'Trigger function: takes the claims that a statement deleted from the counts.';

create or replace trigger keep_counts_of_deleted
  after delete on parking.claims
  referencing old table as deleted
  for each statement
  execute function private.drop_claim_counts();
