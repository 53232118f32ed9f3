/*
 * The first statement of what changes a claim: the spot before the claim, as its deletion locks them. What is
 * freed may be published anew, one after the other (private.reconcile).
 */
create or replace function private.keep_spot_of_claim(id uuid)
  returns void
  language plpgsql
  security definer -- the spot belongs to another resident; the policies check who may act
  set search_path = ''
as $$
declare
  v_owner_id uuid;
  v_spot_id uuid;
begin
  select c.owner_id, c.spot_id into v_owner_id, v_spot_id
    from parking.claims c
   where c.id = keep_spot_of_claim.id
     and (select private.is_approved());

  -- The owner first, people before spots: a suspension under way ends before a claim is extended.
  perform from parking.profiles p where p.id = v_owner_id for share;
  perform from parking.spots s where s.id = v_spot_id for no key update;
end;
$$;

comment on function private.keep_spot_of_claim is
  'Locks the spot of the claim with this id, and keeps its owner from being suspended, until the transaction ends. For an approved caller.';
grant execute on function private.keep_spot_of_claim to parking_api;

/*
 * The first lock of what claims or ends several claims at once: two who claim the same days wait for each other, and
 * owners who change their plans. Others may claim meanwhile, for who claims one window waits for nobody who has this.
 */
create or replace function private.keep_spots(ids uuid[], to_claim boolean)
  returns void
  language plpgsql
  security definer -- the spots belong to other residents; the policies check who may act
  set search_path = ''
as $$
begin
  perform private.require_approved();
  perform
     from parking.profiles p
    where (keep_spots.to_claim and p.id = (select private.caller_id()))
       or p.id in (select s.owner_id from parking.spots s where s.id = any (keep_spots.ids))
    order by p.id
      for share;
  perform
     from parking.spots s
    where s.id = any (keep_spots.ids)
    order by s.id
      for no key update;
  perform private.require_approved(); -- still, after all the waiting
end;
$$;

comment on function private.keep_spots is
  'Locks these spots, and keeps their owners, and who claims them, from being suspended, until the transaction ends. For an approved caller.';
grant execute on function private.keep_spots to parking_api;

/*
 * The first statement of what changes windows and plans of one owner: one such change after the other. What is
 * claimed meanwhile, private.reconcile sees: it locks the windows.
 */
create or replace function private.lock_own_spots(spot_id uuid default null)
  returns void
  language plpgsql
  security definer -- the API role may not lock profiles; only what is the caller's is locked
  set search_path = ''
as $$
begin
  perform
     from parking.profiles p
    where p.id = (select private.caller_id())
      and (select private.is_approved()) -- as private.require_approved decides
      for no key update;

  if found then
    perform
       from parking.spots s
      where s.owner_id = (select private.caller_id())
        and (lock_own_spots.spot_id is null or s.id = lock_own_spots.spot_id)
      order by s.id
        for no key update;
    -- Patterns and exceptions depend on each other, and after the lock of the spot an old snapshot still does not see
    -- new ones. There is one turn for each person, because an exception may be about all their spots.
    perform private.take_turn('plans', private.caller_id());
  end if;
end;
$$;

comment on function private.lock_own_spots is
  'Locks the profile of an approved caller, and their spots, or one of them.';
grant execute on function private.lock_own_spots to parking_api;

/* The first locks of an erasure, and of a change of flags, in the order of private.lock_spot. */
create or replace function private.lock_person(id uuid)
  returns void
  language plpgsql
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
begin
  perform private.take_turn('administrators');
  perform from private.users u where u.id = lock_person.id for update;
  -- Claims by the person or of their windows wait here, and spots that they register. Notifications
  -- to them do not: who writes one may have a claim that the erasure waits for.
  perform from parking.profiles p where p.id = lock_person.id for no key update;
end;
$$;

comment on function private.lock_person is
  'Locks the sign-in data and the profile of the person with this id.';

create or replace function private.lock_person_as_administrator(id uuid)
  returns void
  language plpgsql
  security definer -- the API role may take no turn, and has no access to private.users
  set search_path = ''
as $$
begin
  perform private.lock_person(lock_person_as_administrator.id);
  perform private.require_administrator(); -- still, after all the waiting
end;
$$;

comment on function private.lock_person_as_administrator is
  'Locks the person with this id before the erasure, for an administrator.';
grant execute on function private.lock_person_as_administrator to parking_api;

/*
 * The first statement of what changes a window: the spot before the window, as its deletion locks them. An owner
 * changes what they plan, too, and locks all of that in the order of private.lock_spot.
 */
create or replace function private.lock_spot_of_window(id uuid)
  returns void
  language plpgsql
  security definer -- an administrator may not lock another's spot; the policies check who may act
  set search_path = ''
as $$
declare
  v_spot_id uuid;
  v_is_own boolean;
begin
  select a.spot_id, a.owner_id = (select private.caller_id()) into v_spot_id, v_is_own
    from parking.availabilities a
   where a.id = lock_spot_of_window.id
     and (select private.is_approved());

  if v_is_own then
    perform private.lock_own_spots();
  else
    perform from parking.spots s where s.id = v_spot_id for no key update;
  end if;

  -- All, for what the spot offers beside it is set anew.
  perform
     from parking.availabilities a
    where a.spot_id = v_spot_id
      and a.end_time > clock_timestamp()
    order by a.id
      for no key update;
end;
$$;

comment on function private.lock_spot_of_window is
  'Locks the spot of the window with this id, and its windows that have not ended, for an approved caller; of its owner, all their spots.';
grant execute on function private.lock_spot_of_window to parking_api;

create or replace function private.lock_spots_of_exception(id uuid)
  returns void
  language plpgsql
  security invoker -- the policies show the caller their own exceptions
  set search_path = ''
as $$
begin
  perform private.lock_own_spots() -- all, as private.lock_own_spots_before does: one first would be out of order
     from parking.exceptions e
    where e.id = lock_spots_of_exception.id;
end;
$$;

comment on function private.lock_spots_of_exception is
  'Locks the caller''s profile and spots before an exception of theirs is undone.';
grant execute on function private.lock_spots_of_exception to parking_api;
