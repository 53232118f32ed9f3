/* Where the rest of a window stays on offer, a claim keeps what it used, or takes more from what is free beside it. */
create or replace function private.fit_claim()
  returns trigger
  language plpgsql
  security definer -- the windows belong to the owner of the spot, not to the claimer
  set search_path = ''
as $$
declare
  v_now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  if old.status <> 'active' or not (private.building()).rest_stays_on_offer then
    return new;
  end if;

  if new.status = 'completed' then
    -- Before its beginning it has used nothing, and keeps its time. Not a later moment than that of the
    -- change: claims_closed_stay_closed compares them.
    if new.start_time < v_now then
      new.end_time := least(new.end_time, v_now);
    end if;
  elsif new.start_time < old.start_time or new.end_time > old.end_time then
    -- The old times too: the claim is held to its window before and after. What is too much is given
    -- back afterwards (private.mark_availability); what is not there, claims_within_availability refuses.
    perform private.join_pieces(
      new.availability_id,
      least(new.start_time, old.start_time),
      greatest(new.end_time, old.end_time)
    );
  end if;
  return new;
end;
$$;

comment on function private.fit_claim is
  'Trigger function: a claim that is completed before its end ends at that moment; before it takes more time, its window is joined with the free pieces that it needs.';

-- Triggers run in the order of their names: after the rules, which judge the times that the client wrote.
create or replace trigger fit_claim
  before update of status, start_time, end_time on parking.claims
  for each row
  when (new.status <> 'cancelled')
  execute function private.fit_claim();
