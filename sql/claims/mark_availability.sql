/*
 * Sets anew what is free of the window, and keeps the counts of days and of the claimer. Together, because the
 * claim and its window are mostly of one day.
 */
create or replace function private.mark_availability()
  returns trigger
  language plpgsql
  security definer -- the window belongs to the owner of the spot, not to the claimer; only triggers write counts
  set search_path = ''
as $$
declare
  v_change record;
  v_number integer := 0;
  v_is_whole boolean := false;
begin
  -- Here, because a trigger's condition that is long costs each cancellation more.
  if tg_op = 'UPDATE'
    and (new.availability_id, new.claimer_id, new.status, new.start_time, new.end_time, new.takes)
      is not distinct from
      (old.availability_id, old.claimer_id, old.status, old.start_time, old.end_time, old.takes)
  then
    return null;
  end if;

  if (new.claimer_id, new.status) is distinct from (old.claimer_id, old.status) then
    if tg_op = 'UPDATE' then
      perform private.add_person_count(old.claimer_id, old.status, -1);
    end if;
    perform private.add_person_count(new.claimer_id, new.status, 1);
  end if;

  -- Mostly a claim takes a whole window, or gives it back: then nothing of it was, or is, another's.
  if tg_op = 'INSERT' or new.status = 'cancelled' and new.availability_id = old.availability_id then
    update parking.availabilities a
       set is_claimed = new.holds is not null,
           free_since = case when new.holds is null then clock_timestamp() else a.free_since end
     where a.id = new.availability_id
       and a.during = coalesce(new.takes, old.takes)
       and a.is_claimed = (new.holds is null)
       and a.offered is null
    returning a.start_time, a.end_time, 0 as windows_more, case when new.holds is null then -1 else 1 end as claimed_more
         into v_change;
    v_is_whole := found;
  end if;

  if not v_is_whole then
    for v_change in
      select f.*
        from private.set_free(array(
               select a
                 from parking.availabilities a
                where a.id in (new.availability_id, old.availability_id) -- the owner of the database may move it
                order by a.id
             )) f
    loop
      v_number := v_number + 1;
      exit when v_number = 1; -- counted below, together with the claim
      perform private.add_day_counts(
        v_change.start_time,
        v_change.end_time,
        windows => v_change.windows_more,
        claimed => v_change.claimed_more
      );
    end loop;
  end if;

  if tg_op = 'UPDATE' and (new.start_time, new.end_time) <> (old.start_time, old.end_time) then
    perform private.add_day_counts(
      claim_start => old.start_time,
      claim_end => old.end_time,
      active => -(old.status = 'active')::integer,
      completed => -(old.status = 'completed')::integer,
      cancelled => -(old.status = 'cancelled')::integer
    );
    old.status := null; -- the new one is counted as one that is added
  end if;
  -- For a new claim, old is null.
  perform private.add_day_counts(
    v_change.start_time,
    v_change.end_time,
    windows => coalesce(v_change.windows_more, 0),
    claimed => coalesce(v_change.claimed_more, 0),
    claim_start => new.start_time,
    claim_end => new.end_time,
    active => (new.status = 'active')::integer - (old.status is not distinct from 'active')::integer,
    completed => (new.status = 'completed')::integer - (old.status is not distinct from 'completed')::integer,
    cancelled => (new.status = 'cancelled')::integer - (old.status is not distinct from 'cancelled')::integer
  );

  return null;
end;
$$;

comment on function private.mark_availability is
  'Trigger function: sets what is free of the window of a claim, and counts the claim and its window.';

create or replace trigger mark_availability
  after insert on parking.claims
  for each row
  execute function private.mark_availability();

create or replace trigger mark_availability_of_changed
  after update on parking.claims
  for each row
  execute function private.mark_availability();
