/*
 * Keeps is_claimed of the window, which is true while an active or completed claim holds it, and the
 * counts of days and of the claimer. Together, because the claim and its window are mostly of one day.
 * Then cuts the window, or joins it.
 */
create or replace function private.mark_availability()
  returns trigger
  language plpgsql
  security definer -- the window belongs to the owner of the spot, not to the claimer; only triggers write counts
  set search_path = ''
as $$
declare
  -- At most one claim of a window is not cancelled (claims_one_per_availability). Only that claim
  -- counts; a change of a cancelled one never frees the window.
  v_before constant uuid :=
    case when tg_op = 'UPDATE' and old.status <> 'cancelled' then old.availability_id end;
  v_now constant uuid := case when new.status <> 'cancelled' then new.availability_id end;
  v_freed parking.availabilities;
  v_taken parking.availabilities;
begin
  -- Here, because a trigger's condition that is long costs each cancellation more.
  if tg_op = 'UPDATE'
    and (new.claimer_id, new.status, new.start_time, new.end_time)
      is not distinct from (old.claimer_id, old.status, old.start_time, old.end_time)
    -- A cancelled claim holds no window. It comes to another one where pieces are joined.
    and v_now is not distinct from v_before
  then
    return null;
  end if;

  if v_before is not null and v_now is distinct from v_before then
    update parking.availabilities a set is_claimed = false where a.id = v_before
    returning * into v_freed;
  end if;
  if v_now is not null and v_before is distinct from v_now then
    update parking.availabilities a set is_claimed = true where a.id = v_now
    returning * into v_taken;
  end if;

  if tg_op = 'UPDATE' and (
    (new.start_time, new.end_time) <> (old.start_time, old.end_time)
    or v_before <> v_now
  ) then
    perform private.add_day_counts(
      v_freed.start_time,
      v_freed.end_time,
      claimed => -1,
      claim_start => old.start_time,
      claim_end => old.end_time,
      active => -(old.status = 'active')::integer,
      completed => -(old.status = 'completed')::integer,
      cancelled => -(old.status = 'cancelled')::integer
    );
    perform private.add_day_counts(
      v_taken.start_time,
      v_taken.end_time,
      claimed => 1,
      claim_start => new.start_time,
      claim_end => new.end_time,
      active => (new.status = 'active')::integer,
      completed => (new.status = 'completed')::integer,
      cancelled => (new.status = 'cancelled')::integer
    );
  else
    -- Of a new claim, old is null.
    perform private.add_day_counts(
      coalesce(v_taken.start_time, v_freed.start_time),
      coalesce(v_taken.end_time, v_freed.end_time),
      claimed => (v_now is not null)::integer - (v_before is not null)::integer,
      claim_start => new.start_time,
      claim_end => new.end_time,
      active => (new.status = 'active')::integer - (old.status is not distinct from 'active')::integer,
      completed => (new.status = 'completed')::integer - (old.status is not distinct from 'completed')::integer,
      cancelled => (new.status = 'cancelled')::integer - (old.status is not distinct from 'cancelled')::integer
    );
  end if;

  if (new.claimer_id, new.status) is distinct from (old.claimer_id, old.status) then
    if tg_op = 'UPDATE' then
      perform private.add_person_count(old.claimer_id, old.status, -1);
    end if;
    perform private.add_person_count(new.claimer_id, new.status, 1);
  end if;

  if v_freed.part_of is not null then
    perform private.join_pieces(v_freed.id);
  end if;
  if v_now is not null
    and (v_taken.start_time, v_taken.end_time) is distinct from (new.start_time, new.end_time)
  then
    -- Whoever claims may have set it, and what they give back is to be told.
    perform set_config('parking.recutting', 'off', true);
    perform case
              when v_taken.id is null then private.offer_rest(v_now, new.start_time, new.end_time)
              else private.keep_on_offer(v_now, new.start_time, new.end_time)
            end
       from parking.building b
      where b.rest_stays_on_offer;
  end if;
  return null;
end;
$$;

comment on function private.mark_availability is
  'Trigger function: sets is_claimed of the windows that a claim takes and frees, counts the claim and its window, and keeps the rest on offer where the building wants that.';

create or replace trigger mark_availability
  after insert on parking.claims
  for each row
  execute function private.mark_availability();

create or replace trigger mark_availability_of_changed
  after update on parking.claims
  for each row
  execute function private.mark_availability();
