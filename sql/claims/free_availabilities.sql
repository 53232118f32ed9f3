/* A spot may have thousands of claims: all that are deleted with it are counted in one statement. */
create or replace function private.free_availabilities()
  returns trigger
  language plpgsql
  security definer -- the windows belong to the owners of the spots, not to the claimer; only triggers write counts
  set search_path = ''
as $$
begin
  perform private.add_day_counts(
    min(f.start_time),
    min(f.end_time),
    windows => coalesce(sum(f.windows_more), 0)::bigint,
    claimed => coalesce(sum(f.claimed_more), 0)::bigint,
    claim_start => min(d.start_time),
    claim_end => min(d.end_time),
    active => -count(*) filter (where d.status = 'active'),
    completed => -count(*) filter (where d.status = 'completed'),
    cancelled => -count(*) filter (where d.status = 'cancelled')
  )
     from (
       select o.*, row_number() over (partition by o.holds) as number from deleted o
     ) d
     left join private.set_free(array(
       select a
         from parking.availabilities a
        where a.id in (select h.holds from deleted h)
          -- Not when the spot was deleted: its windows are deleted after its claims.
          and exists (select from parking.spots s where s.id = a.spot_id)
        order by a.id
     )) f on f.id = d.holds and d.number = 1 -- several claims may be of one window
    group by
      private.utc_day(f.start_time),
      private.utc_day(f.end_time),
      private.utc_day(d.start_time),
      private.utc_day(d.end_time);

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
