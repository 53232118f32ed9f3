/*
 * Locks are taken in one order everywhere, so that nobody waits in a circle: the turn of administrators, users,
 * profiles, invitations, spots, plans, patterns, claims, windows, wishes; several of a kind in the order
 * of their ids. A new claim locks its window before there is a row.
 */

/*
 * An UPDATE or a DELETE locks its row before its triggers run, so the functions of api lock the spot
 * first. A trigger for each statement can, too (private.lock_own_spots_before). A statement that ends a
 * claim whose window is offered anew (private.reconcile_freed) locks the spot last, and may have to try
 * again.
 */

/*
 * Nobody adds rows about a retired spot, although foreign keys would find it. "shared" waits for its deletion
 * alone: claims of one spot do not wait for each other, those of one window do (private.take_time).
 */
create or replace function private.lock_spot()
  returns trigger
  language plpgsql
  security definer -- locks anybody's spot; the policies check the owner afterwards
  set search_path = ''
as $$
begin
  if tg_argv[1] = 'shared' then
    perform from parking.spots s where s.id = new.spot_id and s.retired_at is null for key share;
  else
    perform from parking.spots s where s.id = new.spot_id and s.retired_at is null for no key update;
  end if;
  if not found and new.spot_id is not null then
    if private.caller_id() is not null then -- not where the owner of the database writes
      perform private.require_approved(); -- still, after all the waiting
    end if;
    perform private.refuse(tg_argv[0], '23503');
  end if;
  return new;
end;
$$;

create or replace trigger keep_spot
  before insert on parking.claims
  for each row
  execute function private.lock_spot('claims_of_an_availability', 'shared');

-- Triggers run in the order of their names. Those of foreign keys are called RI_ConstraintTrigger_ and a
-- number. This one runs before them, so an account that is no longer approved is refused for that reason.
create or replace trigger "A_keep_spot"
  after insert on parking.exceptions
  for each row
  when (new.spot_id is not null)
  execute function private.lock_spot('exceptions_of_a_spot', 'shared');

create or replace trigger "A_keep_spot"
  after insert on parking.wishes
  for each row
  when (new.spot_id is not null)
  execute function private.lock_spot('wishes_of_a_spot', 'shared');

create or replace trigger "A_keep_spot"
  after insert on parking.spot_reports
  for each row
  execute function private.lock_spot('spot_reports_of_a_spot', 'shared');

/*
 * Spots come before plans and windows, and an UPDATE or a DELETE locks its rows before the triggers of each row
 * run. An administrator who gives a reason has locked the spot of another.
 */
create or replace function private.lock_own_spots_before()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if private.reason() is null then
    perform private.lock_own_spots();
  end if;
  return null;
end;
$$;

create or replace trigger lock_own_spots_before
  before delete or update of weekdays, starts_at, ends_at, first_day, last_day on parking.patterns
  for each statement
  when (pg_trigger_depth() = 0)
  execute function private.lock_own_spots_before();

create or replace trigger lock_own_spots_before
  before delete on parking.exceptions
  for each statement
  when (pg_trigger_depth() = 0)
  execute function private.lock_own_spots_before();

create or replace trigger lock_own_spots_before
  before delete or update of start_time, end_time on parking.availabilities
  for each statement
  when (pg_trigger_depth() = 0)
  execute function private.lock_own_spots_before();

/* A person who registers a spot and is erased at one moment: one waits for the other. */
create or replace function private.lock_owner()
  returns trigger
  language plpgsql
  security definer -- a shared lock needs more than the caller may do to a profile
  set search_path = ''
as $$
begin
  perform from parking.profiles p where p.id = new.owner_id for share;
  return new;
end;
$$;

create or replace trigger lock_owner
  before insert on parking.spots
  for each row
  execute function private.lock_owner();

create or replace trigger lock_spot
  before insert on parking.availabilities
  for each row
  execute function private.lock_spot('availabilities_of_a_spot');

create or replace trigger lock_spot
  before insert on parking.patterns
  for each row
  execute function private.lock_spot('patterns_of_a_spot');

-- The erasure of the owner deletes what it sees, and it locks the spots: new notes and the erasure wait for each other.
create or replace trigger "A_lock_spot"
  after insert on parking.spot_access
  for each row
  execute function private.lock_spot('spot_access_of_a_spot');

/*
 * A claim writes its window anew, and PostgreSQL checks the exclusion constraint then: it and the owner who writes
 * another window over that one would wait for each other. So the owner waits for the claim first.
 */
create or replace function private.lock_windows()
  returns trigger
  language plpgsql
  security definer -- a policy hides the windows of a suspended owner, and an administrator may not lock any
  set search_path = ''
as $$
begin
  if new.start_time < new.end_time then
    perform
       from parking.availabilities a
      where a.during && tstzrange(new.start_time, new.end_time)
        and uuid_send(a.spot_id) = uuid_send(new.spot_id) -- as the index of the constraint has it
        and a.id <> new.id
      order by a.id
        for no key update;
  end if;
  return new;
end;
$$;

-- After lock_spot: triggers run in the order of their names.
create or replace trigger lock_windows
  before insert or update of start_time, end_time on parking.availabilities
  for each row
  execute function private.lock_windows();
