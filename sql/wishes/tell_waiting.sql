/*
 * The job calls it until nothing is left to do, so that publications and cancellations wait for nobody. A call
 * changes one wish, so that it cannot deadlock with what the person does.
 *
 * The turn is written with the notification; claims_wait_for_offers reads the clock. A wish has one offer at a time.
 */
create or replace function private.tell_waiting()
  returns integer
  language plpgsql
  security definer -- writes the wishes and the notifications of others
  set search_path = ''
as $$
declare
  c_most constant integer := 200; -- the others at the next call
  v_each constant interval := make_interval(mins => (private.building()).offer_minutes);
  -- As it is stored: an offer begins now.
  v_now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_gone uuid[];
  v_windows uuid[];
  v_next record;
  v_window parking.availabilities;
  v_notice interval;
  v_told uuid[];
  v_line uuid[];
  v_skipped uuid[] := '{}';
  v_all_told uuid[] := '{}';
  v_done integer := 0;
begin
  perform private.require_service();
  if pg_relation_size('parking.wishes', 'main') = 0
    or not pg_try_advisory_xact_lock(hashtextextended('parking.wishes', 0)) -- another process is at it
  then
    return 0;
  end if;

  v_gone := array(
    select g.id
      from (
        select distinct on (w.wisher_id) w.id, w.created_at
          from parking.wishes w
         where w.claim_id is null
           and w.start_time > now()
           and w.availability_id is not null
           and not exists (select from private.offered_window(w))
         order by w.wisher_id, w.created_at, w.id
      ) g
     order by g.created_at, g.id
     limit c_most
  );
  v_windows := array(
    select a.id
      from parking.availabilities a
     where a.id = any (array(select f.availability_id from private.freed_times f))
       and a.end_time > now()
       and exists (select from private.waiting_for(a, v_gone))
    union
    select a.id
      from parking.availabilities a
     where a.end_time > now()
       and cardinality(v_gone) > 0
       and exists (
         select from private.fitting_wishes(a) w where w.id = any (v_gone) and w.created_at < a.free_since
       )
  );
  -- Not at once: a wish that is being written is not seen yet, and its resident may not have seen the window.
  delete from private.freed_times f
   where f.availability_id <> all (v_windows)
     and f.freed_at < v_now - interval '10 seconds';

  loop
    -- The one that somebody can have first, after the turns of those to whom it was offered before.
    select a as availability, greatest(v_now, t.until) as turn
      into v_next
      from parking.availabilities a
     cross join lateral (
       select max(w.offered_until) as until
         from parking.wishes w
        where w.availability_id = a.id
          and w.claim_id is null
     ) t
     where a.id = any (v_windows)
     order by turn, a.free_since, a.id
     limit 1;
    exit when not found;
    v_window := v_next.availability;
    v_notice := make_interval(mins => coalesce((private.limits_of(v_window.spot_id)).claim_notice_minutes, 0));

    with waiting as materialized (
      select w.*
        from private.waiting_for(v_window, v_gone) w
    ),
    line as materialized (
      select f.id
        from (select distinct on (w.wisher_id) w.* from waiting w order by w.wisher_id, w.created_at, w.id) f
       where f.wisher_id <> all (v_all_told)
         and (
           v_each is null
           or v_next.turn < f.start_time - v_notice
             and (f.offered_until <= v_now or v_next.turn < f.offered_from or f.id = any (v_gone)) is not false
         )
    ),
    -- Skips a wish that is being fulfilled or withdrawn, and a person who is being erased.
    reached as materialized (
      select w.id
        from line l
        join parking.wishes w on w.id = l.id
        join parking.profiles p on p.id = w.wisher_id
       where w.claim_id is null
       order by w.created_at, w.id
       limit case when v_each is null then c_most else 1 end
         for no key update of w skip locked
         for key share of p skip locked
    ),
    told as (
      update parking.wishes w
         set availability_id = v_window.id,
             offered_from = case when v_each is not null then v_next.turn end,
             offered_until = case when v_each is not null then least(v_next.turn + v_each, w.start_time - v_notice) end
        from reached r
       where w.id = r.id
      returning w.*
    ),
    notified as (
      insert into parking.notifications (id, recipient_id, kind, message, data, availability_id, spot_id)
      select t.id,
             t.wisher_id,
             'wish.fits',
             concat_ws('. Only you can claim it ', m.message, case
               when v_each is not null then private.readable_span(t.offered_from, t.offered_until)
             end),
             private.notification_data(
               null, m.spot, v_window.start_time, v_window.end_time, null, t.offered_from, t.offered_until
             ),
             v_window.id,
             v_window.spot_id
        from told t
       cross join (
         select s as spot,
                private.notification_message(
                  null, 'wish.fits', s, v_window.start_time, v_window.end_time, null
                ) as message
           from parking.spots s
          where s.id = v_window.spot_id
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
    ),
    noted as (
      insert into private.new_events (type, subject_id, actor_id, reason, data)
      select 'notification.created', n.id, null, null, jsonb_build_object('recipient_id', n.recipient_id)
        from notified n
    )
    select array(select n.recipient_id from notified n),
           v_skipped || array(select l.id from line l)
      into v_told, v_line;
    v_all_told := v_all_told || v_told;
    if cardinality(v_told) = 0 then
      v_skipped := v_line;
      v_windows := array_remove(v_windows, v_window.id);
    end if;
    v_done := v_done + cardinality(v_told);
    exit when v_done > 0 and clock_timestamp() > v_now + interval '100 milliseconds';
  end loop;
  if v_done > 0 then
    return v_done;
  end if;

  update parking.wishes w
     set availability_id = null,
         offered_from = null,
         offered_until = null
   where w.id = any (array(
     select o.id
       from parking.wishes o
      where o.id = any (v_gone)
        and o.id <> all (v_skipped)
        and not exists (select from private.offered_window(o))
        for no key update skip locked -- not one that is being fulfilled or withdrawn
   ));
  get diagnostics v_done = row_count;
  return v_done;
end;
$$;

comment on function private.tell_waiting is
  'Tells those who wait of what became free, or ends offers of what is not free any more. Returns how much it did; called until it returns 0.';
grant execute on function private.tell_waiting to parking_api;
