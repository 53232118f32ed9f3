/* A spot may have thousands of claims: all that are deleted with it are counted in one statement. */
create or replace function private.free_availabilities()
  returns trigger
  language plpgsql
  security definer -- the windows belong to the owners of the spots, not to the claimer; only triggers write counts
  set search_path = ''
as $$
declare
  v_pieces uuid[];
begin
  with freed as (
    update parking.availabilities a
       set is_claimed = false
      from deleted d
     where a.id = d.availability_id
       and d.status <> 'cancelled'
       -- Not when the spot was deleted: its windows are deleted after its claims.
       and exists (select from parking.spots s where s.id = a.spot_id)
    returning a.id, a.part_of
  )
  select array_agg(f.id) into v_pieces
    from freed f
   where f.part_of is not null;

  perform private.add_day_counts(
    min(a.start_time),
    min(a.end_time),
    claimed => -count(a.id),
    claim_start => min(d.start_time),
    claim_end => min(d.end_time),
    active => -count(*) filter (where d.status = 'active'),
    completed => -count(*) filter (where d.status = 'completed'),
    cancelled => -count(*) filter (where d.status = 'cancelled')
  )
     from deleted d
     left join (parking.availabilities a join parking.spots s on s.id = a.spot_id)
       on a.id = d.availability_id
      and d.status <> 'cancelled'
    group by
      private.utc_day(a.start_time),
      private.utc_day(a.end_time),
      private.utc_day(d.start_time),
      private.utc_day(d.end_time);

  perform private.add_person_count(d.claimer_id, d.status, -count(*))
     from deleted d
    group by d.claimer_id, d.status;

  if v_pieces is not null then
    perform private.join_pieces(p.id)
       from unnest(v_pieces) p (id);
  end if;
  return null;
end;
$$;

comment on function private.free_availabilities is
  'Trigger function: clears is_claimed of the windows of the claims that a statement deleted, takes these from the counts, and joins what was one.';

create or replace trigger free_availabilities
  after delete on parking.claims
  referencing old table as deleted
  for each statement
  execute function private.free_availabilities();
