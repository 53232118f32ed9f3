/* What becomes free in a window, or in several that were cut or joined since, is offered to those who wait. */
create or replace function private.offer_window()
  returns trigger
  language plpgsql
  security definer -- writes the wishes and the notifications of others
  set search_path = ''
as $$
declare
  -- Nothing, where it was on offer before in a longer window.
  v_freed tstzmultirange := '{}';
  v_window parking.availabilities;
begin
  if pg_relation_size('parking.wishes', 'main') = 0 then -- as in enforce_offers
    return null;
  end if;

  if tg_nargs = 0 then
    v_freed := new.during::tstzmultirange;
    -- Here, because a trigger's condition that is long costs each claim more.
    if tg_op = 'UPDATE' and not old.is_claimed then
      v_freed := v_freed - old.during::tstzmultirange;
    end if;
  end if;

  -- By an index: a spot may have had thousands of windows.
  if not exists (
    select from parking.wishes w
     where w.claim_id is null
       and w.start_time > now()
       and w.start_time < new.end_time
       and w.end_time > new.start_time
  ) then
    return null;
  end if;

  -- What is offered of a new window already was on offer before, in another (private.keep_offers).
  if tg_op = 'INSERT' then
    v_freed := v_freed - (
      select coalesce(range_agg(tstzrange(w.start_time, w.end_time)), '{}')
        from parking.wishes w
       where w.availability_id = new.id
         and w.claim_id is null
         and w.start_time >= new.start_time
         and w.start_time < new.end_time
    );
  end if;

  for v_window in
    select a.*
      from parking.availabilities a
     where a.spot_id = new.spot_id
       and a.during && new.during
       and not a.is_claimed
       and exists (select from parking.profiles p where p.id = a.owner_id and p.is_approved)
       -- Hardly ever does anybody wait for just this.
       and exists (
         select from parking.wishes w
          where w.claim_id is null
            and w.start_time >= a.start_time
            and w.start_time < a.end_time
            and w.end_time <= a.end_time
            and w.start_time > clock_timestamp()
       )
     order by a.start_time
  loop
    -- Two windows that become free at once: who has an offer of the first is seen at the second. It is
    -- the last lock of the transaction, which is about to end.
    perform pg_advisory_xact_lock(hashtextextended('parking.wishes', 0));
    perform private.offer_to_waiting(v_window, v_freed);
  end loop;
  return null;
end;
$$;

comment on function private.offer_window is
  'Trigger function: offers what became free to those whose wish it fits, and notifies them.';

-- Deferred to the end of the transaction: a window may change several times until then.
drop trigger if exists offer_published on parking.availabilities;
create constraint trigger offer_published
  after insert on parking.availabilities
  deferrable initially deferred
  for each row
  -- Nothing, not a function call even, while nobody has ever waited: the table has no page then. With one
  -- argument pg_relation_size is in SQL, and would be planned anew by each statement.
  when (
    not new.is_claimed
    and pg_relation_size('parking.wishes', 'main') > 0
    -- People may set this too, but it binds them.
    and (
      current_setting('parking.recutting', true) is distinct from 'on'
      or row_security_active('parking.availabilities')
    )
  )
  execute function private.offer_window();

drop trigger if exists offer_kept on parking.availabilities;
create constraint trigger offer_kept
  after insert on parking.availabilities
  deferrable initially deferred
  for each row
  when (
    not new.is_claimed
    and pg_relation_size('parking.wishes', 'main') > 0
    and current_setting('parking.recutting', true) = 'on'
    and not row_security_active('parking.availabilities')
  )
  execute function private.offer_window('kept');

-- A claim, which takes its window, reads this condition: it is short, and the function asks the rest.
drop trigger if exists offer_freed on parking.availabilities;
create constraint trigger offer_freed
  after update of is_claimed on parking.availabilities
  deferrable initially deferred
  for each row
  when (not new.is_claimed)
  execute function private.offer_window();

drop trigger if exists offer_moved on parking.availabilities;
create constraint trigger offer_moved
  after update of start_time, end_time on parking.availabilities
  deferrable initially deferred
  for each row
  when (
    not new.is_claimed
    and (
      current_setting('parking.recutting', true) is distinct from 'on'
      or row_security_active('parking.availabilities')
    )
  )
  execute function private.offer_window();
