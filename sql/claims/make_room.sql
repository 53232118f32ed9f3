/* Where the rest of a window stays on offer, a claim that takes more time takes it from there. */
create or replace function private.make_room()
  returns trigger
  language plpgsql
  security definer -- the windows belong to the owner of the spot, not to the claimer
  set search_path = ''
as $$
begin
  -- The old times too: the claim is held to its window before and after. What is too much is given
  -- back afterwards (private.mark_availability); what is not there, claims_within_availability refuses.
  perform private.join_pieces(
    new.availability_id,
    least(new.start_time, old.start_time),
    greatest(new.end_time, old.end_time)
  );
  return new;
end;
$$;

comment on function private.make_room is
  'Trigger function: before a claim takes more time, joins its window with the free pieces that it needs.';

-- Triggers run in the order of their names: after the rules.
create or replace trigger make_room
  before update of start_time, end_time on parking.claims
  for each row
  when (
    old.status = 'active'
    and new.status = 'active'
    and (new.start_time < old.start_time or new.end_time > old.end_time)
    and (private.building()).rest_stays_on_offer
  )
  execute function private.make_room();
