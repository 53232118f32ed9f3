/*
 * A window that becomes free is offered to those whose wish it fits: to all at once, or, where the
 * building says how many minutes each has, one after the other. Nobody is woken when their turn comes:
 * from and until when it is stands in the wish and in the notification from the beginning, and the
 * rule claims_wait_for_offers reads the clock. A wish has one offer at a time and one notification, of
 * its own id: however many windows fit, and however often they come and go, it is one message to read.
 */
create or replace function private.offer_window()
  returns trigger
  language plpgsql
  security definer -- writes the wishes and the notifications of others
  set search_path = ''
as $$
declare
  -- More would keep a window from everybody for hours while nobody answers.
  c_longest_line constant integer := 10;
  v_each constant interval := make_interval(mins => (private.building()).offer_minutes);
  v_now timestamptz;
  v_begin timestamptz;
  v_window parking.availabilities;
  v_spot parking.spots;
begin
  -- Here, because a trigger's condition that is long costs each claim more.
  if tg_op = 'UPDATE'
    and not old.is_claimed
    and new.start_time >= old.start_time
    and new.end_time <= old.end_time
  then
    return null;
  end if;

  select a.* into v_window
    from parking.availabilities a
   where a.id = new.id
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
     );

  if not found then
    return null;
  end if;

  -- Two windows that become free at once: who has an offer of the first is seen at the second. It is
  -- the last lock of the transaction, which is about to end.
  perform pg_advisory_xact_lock(hashtextextended('parking.wishes', 0));
  v_now := date_trunc('milliseconds', clock_timestamp()); -- as it is stored: an offer begins now

  select s.* into v_spot from parking.spots s where s.id = v_window.spot_id;

  -- After the turn of somebody to whom it was offered before it became longer.
  select greatest(v_now, max(w.offered_until)) into v_begin
    from parking.wishes w
   where w.availability_id = v_window.id
     and w.claim_id is null
     and w.offered_from <= v_now
     and w.offered_until > v_now;

  with waiting as materialized (
    select w.id, w.wisher_id, w.start_time, w.created_at
      from parking.wishes w
      join parking.profiles p on p.id = w.wisher_id and p.is_approved
     where w.claim_id is null
       and w.start_time >= v_window.start_time
       and w.start_time < v_window.end_time
       and w.end_time <= v_window.end_time
       and w.start_time > v_now
       and coalesce(w.spot_id, v_spot.id) = v_spot.id
       and coalesce(w.building_section, v_spot.building_section) = v_spot.building_section
       and w.wisher_id <> v_spot.owner_id
       -- Who gave it back does not want it.
       and (tg_op = 'INSERT' or w.wisher_id is distinct from (select private.caller_id()))
       -- Not those who have an offer that they can take now, or a message that they have not read.
       and not exists (
         select from parking.availabilities a
          where a.id = w.availability_id
            and not a.is_claimed
            and a.start_time <= w.start_time
            and a.end_time >= w.end_time
            and case
              when w.offered_until is not null
                then w.offered_from <= v_now and w.offered_until > v_now
              else exists (select from parking.notifications n where n.id = w.id and not n.is_read)
            end
       )
       for no key update of w skip locked -- one that is being fulfilled or withdrawn
  ),
  line as (
    select f.id,
           f.start_time,
           v_begin + (row_number() over by_asking - 1) * v_each as offered_from,
           v_begin + row_number() over by_asking * v_each as offered_until,
           row_number() over by_asking as place
      from (
        select distinct on (w.wisher_id) w.* -- a person has one place in the line
          from waiting w
         order by w.wisher_id, w.created_at, w.id
      ) f
    window by_asking as (order by f.created_at, f.id)
  ),
  told as (
    update parking.wishes w
       set availability_id = v_window.id,
           offered_from = l.offered_from,
           offered_until = least(l.offered_until, case when v_each is not null then l.start_time end)
      from line l
     where w.id = l.id
       and (v_each is null or (l.place <= c_longest_line and l.offered_from < l.start_time))
    returning w.*
  ),
  notified as (
    insert into parking.notifications (id, recipient_id, kind, message, availability_id, spot_id)
    select t.id,
           t.wisher_id,
           'wish.fits',
           concat_ws(
             '. Only you can claim it ',
             m.message,
             case when v_each is not null then private.readable_span(t.offered_from, t.offered_until) end
           ),
           v_window.id,
           v_spot.id
      from told t
     cross join (
       select private.notification_message(
         null, 'wish.fits', v_spot, v_window.start_time, v_window.end_time, null
       ) as message
       offset 0 -- one text for all
     ) m
    on conflict (id) do update
      set message = excluded.message,
          availability_id = excluded.availability_id,
          spot_id = excluded.spot_id,
          is_read = false,
          resolved_at = null,
          created_at = excluded.created_at
    returning id, recipient_id
  )
  insert into private.new_events (type, subject_id, actor_id, reason, data)
  select 'notification.created', n.id, null, null, jsonb_build_object('recipient_id', n.recipient_id)
    from notified n;
  return null;
end;
$$;

comment on function private.offer_window is
  'Trigger function: offers a window that became free, or longer, to those whose wish it fits, and notifies them.';

-- Deferred to the end of the transaction: a window may change several times until then.
drop trigger if exists offer_published on parking.availabilities;
create constraint trigger offer_published
  after insert on parking.availabilities
  deferrable initially deferred
  for each row
  -- Nothing, not a function call even, while nobody has ever waited: the table has no page then. With one
  -- argument pg_relation_size is in SQL, and would be planned anew by each statement.
  when (not new.is_claimed and pg_relation_size('parking.wishes', 'main') > 0)
  execute function private.offer_window();

drop trigger if exists offer_freed on parking.availabilities;
create constraint trigger offer_freed
  after update on parking.availabilities
  deferrable initially deferred
  for each row
  when (not new.is_claimed and pg_relation_size('parking.wishes', 'main') > 0)
  execute function private.offer_window();
