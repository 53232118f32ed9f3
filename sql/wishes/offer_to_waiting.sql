/*
 * A window that becomes free is offered to those whose wish it fits: to all at once, or, where the
 * building says how many minutes each has, one after the other. Nobody is woken when their turn comes:
 * from and until when it is stands in the wish and in the notification from the beginning, and the
 * rule claims_wait_for_offers reads the clock. A wish has one offer at a time and one notification, of
 * its own id: however many windows fit, and however often they come and go, it is one message to read.
 * A wish that needs nothing of the time that became free had its time on offer before: it keeps its turn,
 * and gets an offer only where it has none, as when its window is cut or claimed by now.
 * Who may claim nothing of their time any more, for the notice that its section asks for, is not told; nor,
 * where it would be their turn, who could not claim its beginning: they would only keep it from others. How
 * many claims they have, and how far ahead they may claim, is not asked: that changes by the hour.
 */
create or replace function private.offer_to_waiting(
    offered parking.availabilities,
    freed tstzmultirange
)
  returns void
  language plpgsql
  volatile
  security invoker -- for a trigger that may: no grant to the API role
  set search_path = ''
as $$
declare
  -- More would keep a window from everybody for hours while nobody answers.
  c_longest_line constant integer := 10;
  v_each constant interval := make_interval(mins => (private.building()).offer_minutes);
  -- As it is stored: an offer begins now.
  v_now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_limits constant parking.limits := private.limits_of(offered.spot_id);
  v_notice constant interval := make_interval(mins => coalesce(v_limits.claim_notice_minutes, 0));
  v_spot parking.spots;
begin
  -- Nobody could claim it.
  if offered.end_time - offered.start_time < make_interval(mins => v_limits.shortest_claim_minutes) then
    return;
  end if;

  select s.* into v_spot from parking.spots s where s.id = offered.spot_id;

  with waiting as materialized (
    select w.id, w.wisher_id, w.start_time, w.created_at
      from parking.wishes w
      join parking.profiles p on p.id = w.wisher_id and p.is_approved
     where w.claim_id is null
       and w.start_time >= offered.start_time
       and w.start_time < offered.end_time
       and w.end_time <= offered.end_time
       -- As private.enforce_claim_limit has it.
       and w.start_time > v_now + case when v_each is null then interval '0' else v_notice end
       and w.end_time > v_now + v_notice
       and coalesce(w.spot_id, v_spot.id) = v_spot.id
       and coalesce(w.building_section, v_spot.building_section) = v_spot.building_section
       and w.wisher_id <> v_spot.owner_id
       -- Who gave it back does not want it.
       and (isempty(freed) or w.wisher_id is distinct from (select private.caller_id()))
       -- Not those who have an offer that they can take now, or a message that they have not read; nor
       -- those whose turn at this window is still to come, so that nobody who asked later is before them.
       and not exists (
         select from parking.availabilities a
          where a.id = w.availability_id
            and not a.is_claimed
            and a.start_time <= w.start_time
            and a.end_time >= w.end_time
            and case
              when not tstzrange(w.start_time, w.end_time) && freed
                then true
              when w.offered_until is not null
                then w.offered_until > v_now and (w.offered_from <= v_now or a.id = offered.id)
              else exists (select from parking.notifications n where n.id = w.id and not n.is_read)
            end
       )
       for no key update of w skip locked -- one that is being fulfilled or withdrawn
  ),
  -- After the turns of those to whom it was offered before.
  promised as (
    select greatest(v_now, max(w.offered_until)) as until
      from parking.wishes w
     where w.availability_id = offered.id
       and w.claim_id is null
       and w.offered_until > v_now
       and w.start_time >= offered.start_time
       and w.end_time <= offered.end_time
  ),
  line as (
    select f.id,
           f.start_time,
           p.until + (row_number() over by_asking - 1) * v_each as offered_from,
           p.until + row_number() over by_asking * v_each as offered_until,
           row_number() over by_asking as place
      from (
        select distinct on (w.wisher_id) w.* -- a person has one place in the line
          from waiting w
         order by w.wisher_id, w.created_at, w.id
      ) f
     cross join promised p
    window by_asking as (order by f.created_at, f.id)
  ),
  told as (
    update parking.wishes w
       set availability_id = offered.id,
           offered_from = l.offered_from,
           offered_until =
             least(l.offered_until, case when v_each is not null then l.start_time - v_notice end)
      from line l
     where w.id = l.id
       and (v_each is null or (l.place <= c_longest_line and l.offered_from < l.start_time - v_notice))
    returning w.*
  ),
  notified as (
    insert into parking.notifications
      (id, recipient_id, kind, message, data, availability_id, spot_id)
    select t.id,
           t.wisher_id,
           'wish.fits',
           concat_ws(
             '. Only you can claim it ',
             m.message,
             case when v_each is not null then private.readable_span(t.offered_from, t.offered_until) end
           ),
           private.notification_data(
             null, v_spot, offered.start_time, offered.end_time, null,
             case when v_each is not null then t.offered_from end, t.offered_until
           ),
           offered.id,
           v_spot.id
      from told t
     cross join (
       select private.notification_message(
         null, 'wish.fits', v_spot, offered.start_time, offered.end_time, null
       ) as message
       offset 0 -- one text for all
     ) m
    on conflict (id) do update
      set message = excluded.message,
          data = excluded.data,
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
end;
$$;

comment on function private.offer_to_waiting is
  'Offers a free window to those whose wish it fits and who need of it what became free, or have no offer, and notifies them.';
