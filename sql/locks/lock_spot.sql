/*
 * Locks are taken in one order everywhere, so that nobody waits in a circle: administrators_lock, users,
 * profiles, invitations, spots, plans, patterns, claims, windows, wishes; several of a kind in the order
 * of their ids. A new claim locks its window before there is a row. An UPDATE or a DELETE locks its row
 * before its triggers run, so only an INSERT can lock in a trigger what comes before the row in this
 * order; a trigger for each statement can, but knows no row (private.lock_own_spots_before). The
 * functions of api that change or delete a row lock the spot first. By direct SQL, who ends a claim whose
 * window is offered anew (private.reconcile_freed) locks the spot last, and may have to try again.
 */
create or replace function private.lock_spot()
  returns trigger
  language plpgsql
  security definer -- locks anybody's spot; the policies check the owner afterwards
  set search_path = ''
as $$
begin
  perform
     from parking.spots s
    where s.id = new.spot_id
      and s.retired_at is null
      for no key update;
  perform private.require_spot(found or new.spot_id is null, tg_argv[0]);
  return new;
end;
$$;

comment on function private.lock_spot is
  'Trigger function: locks the spot before a window or a pattern of it is published; refuses, under the rule that the argument names, where there is none or it is retired.';

create or replace trigger lock_spot
  before insert on parking.availabilities
  for each row
  execute function private.lock_spot('availabilities_of_a_spot');

create or replace trigger lock_spot
  before insert on parking.patterns
  for each row
  execute function private.lock_spot('patterns_of_a_spot');
