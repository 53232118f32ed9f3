/*
 * A window that becomes free is offered to those whose wish it fits: to all at once, or, where the building says
 * how many minutes each has, one after the other. Nobody is woken when their turn comes: from and until when it
 * is stands in the wish and in the notification from the beginning, and the rule claims_wait_for_offers reads the
 * clock. A wish has one offer at a time and one notification, of its own id: however many windows fit, and however
 * often they come and go, it is one message to read.
 */
create or replace function private.offer_to_waiting(offered parking.availabilities)
  returns integer
  language plpgsql
  volatile
  security invoker -- for private.tell_waiting: no grant to the API role
  set search_path = ''
as $$
declare
  c_most constant integer := 500; -- the others at the next call, behind these
  v_each constant interval := make_interval(mins => (private.building()).offer_minutes);
  -- As it is stored: an offer begins now.
  v_now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_limits constant parking.limits := private.limits_of(offered.spot_id);
  v_notice constant interval := make_interval(mins => coalesce(v_limits.claim_notice_minutes, 0));
  v_spot parking.spots;
  v_told integer;
begin
  select s.* into v_spot from parking.spots s where s.id = offered.spot_id;

  with waiting as materialized (
    select w.*
      from private.waiting_for(offered) w
  ),
  -- After the turns of those to whom it was offered before.
  promised as (
    select greatest(v_now, max(w.offered_until)) as until
      from parking.wishes w
     where w.availability_id = offered.id
       and w.claim_id is null
       and w.offered_until > v_now
  ),
  line as (
    select f.id,
           f.start_time,
           p.until + (row_number() over by_asking - 1) * v_each as offered_from,
           p.until + row_number() over by_asking * v_each as offered_until
      from (
        select distinct on (w.wisher_id) w.* -- a person has one place in the line
          from waiting w
         order by w.wisher_id, w.created_at, w.id
      ) f
     cross join promised p
    window by_asking as (order by f.created_at, f.id)
  ),
  -- Not one that is being fulfilled or withdrawn, nor a person who is being erased: it waits for nobody.
  reached as materialized (
    select l.*
      from line l
      join parking.wishes w on w.id = l.id
      join parking.profiles p on p.id = w.wisher_id
     where v_each is null
        or l.offered_from < l.start_time - v_notice
           and (w.offered_until <= v_now or l.offered_from < w.offered_from) is not false
     order by w.created_at, w.id
     limit c_most
       for no key update of w skip locked
       for key share of p skip locked
  ),
  told as (
    update parking.wishes w
       set availability_id = offered.id,
           offered_from = r.offered_from,
           offered_until =
             least(r.offered_until, case when v_each is not null then r.start_time - v_notice end)
      from reached r
     where w.id = r.id
    returning w.*, old.availability_id as left_id, old.offered_from as left_from
  ),
  -- Whose turn at another window has not come may have it yet, if this one goes.
  left_for_this as (
    delete from private.known_windows k
     using told t
     where k.wish_id = t.id
       and k.availability_id = t.left_id
       and t.left_from > v_now
  ),
  -- Also by their other wishes.
  known as (
    insert into private.known_windows (wish_id, availability_id)
    select w.id, offered.id
      from waiting w
      join told t on t.wisher_id = w.wisher_id
    on conflict do nothing
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
  get diagnostics v_told = row_count;
  return v_told;
end;
$$;

comment on function private.offer_to_waiting is
  'Offers a window to those who wait for it and have no offer that they can take now, and notifies them. Returns how many.';
