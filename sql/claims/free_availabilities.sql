/* A spot may have thousands of claims: all that are deleted with it are counted in one statement. */
create or replace function private.free_availabilities()
  returns trigger
  language plpgsql
  security definer -- the windows belong to the owners of the spots, not to the claimer; only triggers write counts
  set search_path = ''
as $$
begin
  perform private.add_day_counts(f.start_time, f.end_time, windows => f.windows_more, claimed => f.claimed_more)
     from private.set_free(array(
            select a
              from deleted d
              join parking.availabilities a on a.id = d.holds
              -- Not when the spot was deleted: its windows are deleted after its claims.
              join parking.spots s on s.id = a.spot_id
             group by a.id -- several claims may be of one
             order by a.id
          )) f;

  perform private.add_day_counts(
    claim_start => min(d.start_time),
    claim_end => min(d.end_time),
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

comment on function private.free_availabilities is
  'Trigger function: sets what is free of the windows of the claims that a statement deleted, and takes these from the counts.';

create or replace trigger free_availabilities
  after delete on parking.claims
  referencing old table as deleted
  for each statement
  execute function private.free_availabilities();
