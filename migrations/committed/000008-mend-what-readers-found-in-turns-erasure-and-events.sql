--! Previous: sha1:32540cc637a42d442adecfbbdb608cab1d612e5e
--! Hash: sha1:ca6f70395b1e20cffe9cd40989ef5d692ca73017
--! Message: Mend what readers found in turns, erasure and events

--! Included profiles/erase_from_texts.sql
/*
 * People write names into free texts: reasons, reports of cars and the descriptions of spots. There they are replaced.
 * A rejection has its reason in the profile and in each event of that too.
 * Messages of notifications are texts of the service, and made anew from their data.
 */
create or replace function private.erase_from_texts(id uuid, names text[])
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  -- A section that has spots of others too is no name, whatever it is called.
  v_sections constant text[] := array(
    select s.building_section from parking.spots s where s.owner_id <> erase_from_texts.id
  );
  v_texts constant text := (
    select upper(string_agg(t.value, ' '))
      from (
        select concat_ws(' ', r.vehicle, r.note)
          from parking.spot_reports r
        union all
        select e.reason
          from private.events e
         where e.reason is not null
        union all
        select e.data ->> 'rejection_reason'
          from private.events e
         where e.type like 'profile.%'
           and e.data ->> 'rejection_reason' is not null
        union all
        select p.rejection_reason
          from parking.profiles p
         where p.rejection_reason is not null
        union all
        -- Also of events that are kept no longer.
        select case when n.data is null then n.message else n.data ->> 'reason' end
          from parking.notifications n
         where n.data is null
            or n.data ? 'reason'
        union all
        select concat_ws(' ', e.data ->> 'spot_number', e.data ->> 'building_section')
          from private.events e
         where e.type like 'spot.%'
           and e.data ->> 'owner_id' = erase_from_texts.id::text
        union all
        select concat_ws(' ', s.spot_number, s.building_section)
          from parking.spots s
         where s.owner_id = erase_from_texts.id
      ) t (value)
  );
  -- Of thousands of names that a person may have had, few are in any text.
  v_names constant text[] := array(
    select n.name
      from unnest(erase_from_texts.names) n (name)
     where position(upper(n.name) in v_texts) > 0
  );
  v_plates constant text[] := array(
    select private.plate(n.name) from unnest(erase_from_texts.names) n (name)
  );
  v_renamed uuid[];
  v_notifications uuid[];
begin
  delete from parking.notifications n
   where n.recipient_id = erase_from_texts.id
      -- These say more than private.notification_message; the windows have ended.
      or (
        n.kind = 'wish.fits'
        and n.spot_id in (
          select e.subject_id
            from private.events e
           where e.type like 'spot.%'
             and e.data ->> 'owner_id' = erase_from_texts.id::text
        )
      );

  -- What the person typed may be a name; a section that there is, is none.
  update parking.wishes w
     set building_section = null
   where w.wisher_id = erase_from_texts.id
     and w.building_section <> all (v_sections);

  -- The person's own car may have been a stranger's to somebody.
  update parking.spot_reports r
     set vehicle = null
   where private.plate(r.vehicle) = any (v_plates)
      or private.without_names(r.vehicle, v_names) <> r.vehicle;

  update parking.notifications n
     set data = n.data - 'vehicle'
   where n.kind = 'report.submitted'
     and (
       private.plate(n.data ->> 'vehicle') = any (v_plates)
       or private.without_names(n.data ->> 'vehicle', v_names) <> n.data ->> 'vehicle'
     );

  if cardinality(v_names) = 0 then
    return;
  end if;

  -- All residents read them, and each later event of the spot would repeat them. A number that was a
  -- name stays different from all others.
  update parking.spots s
     set spot_number = case
           when erased.spot_number = s.spot_number then s.spot_number
           else 'erased ' || right(s.id::text, 12)
         end,
         building_section = erased.building_section
    from (
      select o.id,
             private.without_names(o.spot_number, v_names) as spot_number,
             case
               when o.building_section = any (v_sections) then o.building_section
               else regexp_replace(left(private.without_names(o.building_section, v_names), 100), '\s+$', '')
             end as building_section
        from parking.spots o
       where o.owner_id = erase_from_texts.id
    ) erased
   where s.id = erased.id
     and (erased.spot_number, erased.building_section) <> (s.spot_number, s.building_section);

  -- Limits of a section that was named after the person, and has no spots now.
  delete from parking.section_limits l
   where l.building_section <> all (v_sections)
     and private.without_names(l.building_section, v_names) <> l.building_section;

  update parking.spot_reports r
     set note = regexp_replace(left(private.without_names(r.note, v_names), 300), '\s+$', '')
   where private.without_names(r.note, v_names) <> r.note;

  v_renamed := array(
    select e.subject_id
      from private.events e
     where e.type like 'spot.%'
       and e.data ->> 'owner_id' = erase_from_texts.id::text
       and private.without_names(e.data ->> 'spot_number', v_names) <> e.data ->> 'spot_number'
  );

  -- Those of the first release have no data of which they could be made anew.
  delete from parking.notifications n
   where n.data is null
     and (
       n.spot_id = any (v_renamed)
       or private.without_names(substring(n.message from '\. Reason: (.*)'), v_names)
         <> substring(n.message from '\. Reason: (.*)')
     );

  with erased as (
    update parking.notifications n
       set data = n.data || w.data
      from (
        select o.id,
               jsonb_strip_nulls(jsonb_build_object(
                 'reason', regexp_replace(
                   left(private.without_names(o.data ->> 'reason', v_names), 300), '\s+$', ''
                 ),
                 'spot_number', case
                   when o.spot_id = any (v_renamed)
                     then private.without_names(o.data ->> 'spot_number', v_names)
                 end
               )) as data
          from parking.notifications o
         where o.data ? 'reason'
            or o.spot_id = any (v_renamed)
      ) w
     where n.id = w.id
       and not n.data @> w.data
    returning n.id
  )
  select array_agg(e.id) into v_notifications
    from erased e;
  perform private.renew_messages(v_notifications);

  perform set_config('parking.erasing', 'on', true); -- the exception of events_are_only_added

  update private.events e
     set data = e.data || jsonb_build_object(
           'spot_number', private.without_names(e.data ->> 'spot_number', v_names),
           'building_section', case
             when e.data ->> 'building_section' = any (v_sections) then e.data ->> 'building_section'
             else private.without_names(e.data ->> 'building_section', v_names)
           end
         )
   where e.type like 'spot.%'
     and e.data ->> 'owner_id' = erase_from_texts.id::text;

  update private.events e
     set reason = regexp_replace(left(private.without_names(e.reason, v_names), 300), '\s+$', '')
   where e.reason is not null
     and private.without_names(e.reason, v_names) <> e.reason;

  update private.events e
     set data = e.data || jsonb_build_object(
           'rejection_reason', regexp_replace(
             left(private.without_names(e.data ->> 'rejection_reason', v_names), 300), '\s+$', ''
           )
         )
   where e.type like 'profile.%'
     and private.without_names(e.data ->> 'rejection_reason', v_names)
       <> e.data ->> 'rejection_reason';

  -- Here, for it is no other rejection: nobody is notified, and it is no event.
  update parking.profiles p
     set rejection_reason = regexp_replace(
           left(private.without_names(p.rejection_reason, v_names), 300), '\s+$', ''
         )
   where private.without_names(p.rejection_reason, v_names) <> p.rejection_reason;

  perform set_config('parking.erasing', 'off', true);
end;
$$;

comment on function private.erase_from_texts is
  'Erases these names from reasons, from reports of cars, from the descriptions of this person''s spots, and from the messages that repeat these.';
--! EndIncluded profiles/erase_from_texts.sql
--! Included availabilities/join_pieces.sql
/*
 * A window that is given back becomes one again with the free pieces beside it. It is the one that stays,
 * so that the claim that gave it back can be undone. What was a claim of a piece becomes one of the window.
 */
create or replace function private.join_pieces(
    id uuid,
    start_time timestamptz default '-infinity',
    end_time timestamptz default 'infinity'
)
  returns void
  language plpgsql
  volatile
  security invoker -- for triggers that may: no grant to the API role
  set search_path = ''
as $$
declare
  v_wanted constant tstzrange := tstzrange(join_pieces.start_time, join_pieces.end_time);
  v_window parking.availabilities;
  v_piece parking.availabilities;
  v_left tstzrange;
  v_during tstzrange;
  v_joined uuid[] := '{}';
begin
  select a.* into v_window
    from parking.availabilities a
   where a.id = join_pieces.id;
  v_during := v_window.during;

  for v_piece in
    select n.*
      from parking.availabilities n
     where n.part_of = v_window.part_of
       and n.during -|- v_window.during
     order by n.id
       -- Also those that seem to be claimed: a snapshot may be older than the end of that claim, and then
       -- only the lock fails.
       for no key update
  loop
    continue when v_piece.is_claimed;

    v_left := v_piece.during - v_wanted;
    if isempty(v_left) then
      -- With the piece its cancelled claims would be deleted.
      update parking.claims c
         set availability_id = v_window.id
       where c.availability_id = v_piece.id;

      -- Nobody withdrew it, so nobody reads that it was deleted.
      insert into private.new_events (type, subject_id, data)
      values ('availability.joined', v_piece.id, to_jsonb(v_piece));
      perform set_config('parking.tidying', 'on', true);
      delete from parking.availabilities a
       where a.id = v_piece.id;
      perform set_config('parking.tidying', 'off', true);
      v_joined := v_joined || v_piece.id;
    elsif v_left <> v_piece.during then
      update parking.availabilities a
         set start_time = lower(v_left),
             end_time = upper(v_left)
       where a.id = v_piece.id;
    end if;
    v_during := v_during + v_piece.during * v_wanted;
  end loop;

  -- After the pieces: windows never overlap.
  if v_during <> v_window.during then
    perform set_config('parking.recutting', 'on', true); -- the pieces were on offer
    update parking.availabilities a
       set start_time = lower(v_during),
           end_time = upper(v_during)
     where a.id = v_window.id;
    perform set_config('parking.recutting', 'off', true);
  end if;
  -- A claim that takes them leaves nothing to offer.
  if not v_window.is_claimed then
    perform private.move_offers(p, v_window.id) from unnest(v_joined) p;
  end if;
end;
$$;

comment on function private.join_pieces is
  'Joins the window with this id with the free pieces of the same origin beside it, or with what lies between these times of them.';
--! EndIncluded availabilities/join_pieces.sql
--! Included patterns/renew_pattern.sql
create or replace function private.renew_pattern(id uuid)
  returns table (
    day date,
    start_time timestamptz,
    end_time timestamptz,
    outcome text,
    rule text
  )
  language plpgsql
  volatile
  security invoker -- called as the owner of the spot
  set search_path = ''
as $$
declare
  v_spot_id uuid;
  v_offered tstzmultirange;
  v_windows uuid[];
begin
  select a.spot_id, range_agg(a.during), array_agg(a.id)
    into v_spot_id, v_offered, v_windows
    from parking.patterns p
    join parking.availabilities a on a.spot_id = p.spot_id and a.pattern_id = p.id
   where p.id = renew_pattern.id
   group by a.spot_id;
  perform private.withdraw_windows(p) from parking.patterns p where p.id = renew_pattern.id;
  perform private.note_published(renew_pattern.id, null);
  return query select p.* from private.publish_pattern(renew_pattern.id) p;
  perform private.share_again(v_spot_id, v_offered);
  perform private.keep_offers(v_spot_id, v_windows);
end;
$$;

comment on function private.renew_pattern is
  'Makes the windows of a changed pattern anew, but for those that are claimed or have begun, and the days that the owner left out. What it offers no longer stays on offer where an exception shares it. Who was offered what stays on offer keeps their turn.';
grant execute on function private.renew_pattern to parking_api;
--! EndIncluded patterns/renew_pattern.sql
--! Included notifications/notify_of_availability_deletion.sql
/* Notifies the owner of a window that an administrator removed. */
create or replace function private.notify_of_availability_deletion()
  returns trigger
  language plpgsql
  security definer -- writes to the owner's notifications on behalf of the administrator
  set search_path = ''
as $$
begin
  -- Windows that are deleted with their spot find no spot here: its deletion has its own notification.
  perform private.notify(
    d.owner_id,
    'availability.deleted',
    s,
    availability_id => d.id,
    start_time => d.start_time,
    end_time => d.end_time
  )
     from deleted d
     join parking.spots s on s.id = d.spot_id;
  return null;
end;
$$;

comment on function private.notify_of_availability_deletion is
  'Trigger function: notifies the owner of windows that another person deleted.';

create or replace trigger notify_of_deletion
  after delete on parking.availabilities
  referencing old table as deleted
  for each statement
  -- Not of a piece that was joined with others, nor of what private.withdraw_window puts away. People
  -- may set this too, but it binds them.
  when (
    current_setting('parking.tidying', true) is distinct from 'on'
    or row_security_active('parking.availabilities')
  )
  execute function private.notify_of_availability_deletion();
--! EndIncluded notifications/notify_of_availability_deletion.sql
--! Included notifications/notify_of_rejection.sql
/* Notifies a person whose account was not approved. They get it by mail: notifications are for who is approved. */
create or replace function private.notify_of_rejection()
  returns trigger
  language plpgsql
  security definer -- writes to the person's notifications on behalf of the administrator
  set search_path = ''
as $$
begin
  perform private.notify(new.id, 'profile.rejected');
  return null;
end;
$$;

comment on function private.notify_of_rejection is
  'Trigger function: notifies a person that the account was not approved.';

create or replace trigger notify_of_rejection
  after update on parking.profiles
  for each row
  when (
    new.rejection_reason is distinct from old.rejection_reason
    and new.rejection_reason is not null
    -- Not where private.erase_person takes a name out of it. People may set this too, but it binds them.
    and (
      current_setting('parking.erasing', true) is distinct from 'on'
      or row_security_active('parking.profiles')
    )
  )
  execute function private.notify_of_rejection();
--! EndIncluded notifications/notify_of_rejection.sql
--! Included notifications/notify_of_waiting.sql
/*
 * Notifies the administrators that somebody waits for approval. However many register, an administrator has
 * one such notification to read: while it is unread it counts, and is no event and no mail again.
 */
create or replace function private.notify_of_waiting()
  returns trigger
  language plpgsql
  security definer -- writes to the administrators' notifications on behalf of who registers
  set search_path = ''
as $$
declare
  v_count bigint;
  v_administrator_id uuid;
begin
  -- Whom groups or an invitation approved wait for nothing.
  if not exists (select from private.waiting_people w where w.id = new.id) then
    return null;
  end if;

  -- One after the other, each with the notification of the one before. Not by administrators_lock: who
  -- approves this person has it, and waits for the profile.
  perform private.take_turn('profiles.waiting');
  v_count := (select count(*) from private.waiting_people);

  for v_administrator_id in
    select p.id
      from parking.profiles p
     where p.is_admin
       and p.is_approved
     order by p.id
  loop
    update parking.notifications n
       set data = jsonb_build_object('count', v_count)
     where n.recipient_id = v_administrator_id
       and n.kind = 'profiles.waiting'
       and not n.is_read;

    if not found then
      perform private.notify(
        v_administrator_id, 'profiles.waiting', more => jsonb_build_object('count', v_count)
      );
    end if;
  end loop;
  return null;
end;
$$;

comment on function private.notify_of_waiting is
  'Trigger function: notifies the administrators that somebody waits for approval.';

-- Deferred, so that groups and invitations have approved by then.
drop trigger if exists notify_of_waiting on parking.profiles;
create constraint trigger notify_of_waiting
  after insert on parking.profiles
  deferrable initially deferred
  for each row
  when (not new.is_approved)
  execute function private.notify_of_waiting();

-- Who was rejected, and asks again.
drop trigger if exists notify_of_waiting_again on parking.profiles;
create constraint trigger notify_of_waiting_again
  after update on parking.profiles
  deferrable initially deferred
  for each row
  when (old.rejection_reason is not null and new.rejection_reason is null and not new.is_approved)
  execute function private.notify_of_waiting();
--! EndIncluded notifications/notify_of_waiting.sql
--! Included wishes/keep_offers.sql
/*
 * A pattern that is changed makes its windows anew, under other ids. Who was offered one of them keeps that
 * offer where a window of the spot has their time now.
 */
create or replace function private.keep_offers(spot_id uuid, windows uuid[])
  returns void
  language plpgsql
  volatile
  security definer -- writes the wishes and the notifications of others; offers stay with the caller's spot
  set search_path = ''
as $$
begin
  if pg_relation_size('parking.wishes', 'main') = 0 then -- as in enforce_offers
    return;
  end if;

  perform private.move_offers(o.from_window, o.to_window)
     from (
       select distinct w.availability_id as from_window, a.id as to_window
         from parking.spots s
         join parking.availabilities a on a.spot_id = s.id and not a.is_claimed
         join parking.wishes w
           on w.start_time >= a.start_time
          and w.start_time < a.end_time -- for the index
          and w.end_time <= a.end_time
          and w.claim_id is null
         join parking.notifications n on n.id = w.id and n.spot_id = s.id
        where s.id = keep_offers.spot_id
          and s.owner_id = (select private.caller_id())
          and a.end_time > clock_timestamp()
          and w.availability_id = any (keep_offers.windows)
          and w.availability_id <> a.id
     ) o;
end;
$$;

comment on function private.keep_offers is
  'Makes what was offered of these windows, of a spot of the caller, an offer of those that have the times of the wishes now.';
grant execute on function private.keep_offers to parking_api;
--! EndIncluded wishes/keep_offers.sql
--! Included wishes/offer_to_waiting.sql
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
  v_limits constant parking.section_limits := private.limits_of(offered.spot_id);
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
--! EndIncluded wishes/offer_to_waiting.sql
--! Included wishes/offer_window.sql
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
--! EndIncluded wishes/offer_window.sql
--! Included events/record_event.sql
/*
 * Every event of a row is written here. The triggers say which change is which event. The row is kept as
 * it is, which costs a claim nothing; what clients see of it is made of it when it gets its position.
 */
create or replace function private.record_event()
  returns trigger
  language plpgsql
  security definer -- only triggers write events
  set search_path = ''
as $$
declare
  v_type constant text := tg_argv[0];
  v_instead constant text := tg_argv[1];
begin
  if tg_level = 'ROW' then
    insert into private.new_events (type, subject_id, data)
    values (v_type, new.id, to_jsonb(new));
  else
    -- A spot may have thousands of windows and claims: all that go with it are logged in one statement.
    insert into private.new_events (type, subject_id, actor_id, reason, data)
    select v_type,
           d.id,
           (select private.caller_id()),
           (select private.reason()),
           to_jsonb(d)
      from deleted d
     -- Not by a setting, which the caller could set too.
     where v_instead is null
        or d.id not in (select e.subject_id from private.new_events e where e.type = v_instead);
  end if;
  return null;
end;
$$;

comment on function private.record_event is
  'Trigger function: logs the rows that were written or deleted, as events of the type that the trigger names; not of those that have an event of the second type instead.';
--! EndIncluded events/record_event.sql
--! Included events/events_of_availabilities.sql
/*
 * Windows are created, moved and deleted. A claim of a window is an event of the claim. That pieces of a
 * window were joined is logged by private.join_pieces: of these pieces nobody reads that they were deleted.
 */
create or replace trigger record_creation
  after insert on parking.availabilities
  for each row
  execute function private.record_event('availability.created');

create or replace trigger record_update
  after update of start_time, end_time on parking.availabilities
  for each row
  when ((new.start_time, new.end_time) is distinct from (old.start_time, old.end_time))
  execute function private.record_event('availability.updated');

create or replace trigger record_deletions
  after delete on parking.availabilities
  referencing old table as deleted
  for each statement
  execute function private.record_event('availability.deleted', 'availability.joined');
--! EndIncluded events/events_of_availabilities.sql
--! Included events/events_of_profiles.sql
/* Profiles are registered, approved, rejected and updated; none is deleted. */
create or replace trigger record_registration
  after insert on parking.profiles
  for each row
  execute function private.record_event('profile.registered');

create or replace trigger record_approval
  after update on parking.profiles
  for each row
  when (new.is_approved and not old.is_approved)
  execute function private.record_event('profile.approved');

create or replace trigger record_rejection
  after update on parking.profiles
  for each row
  when (
    new.rejection_reason is distinct from old.rejection_reason
    and new.rejection_reason is not null
    -- Not where private.erase_person takes a name out of it. People may set this too, but it binds them.
    and (
      current_setting('parking.erasing', true) is distinct from 'on'
      or row_security_active('parking.profiles')
    )
  )
  execute function private.record_event('profile.rejected');

create or replace trigger record_update
  after update on parking.profiles
  for each row
  when (
    not (new.is_approved and not old.is_approved)
    and (new.rejection_reason is null or new.rejection_reason = old.rejection_reason)
    and (
      new.email, new.full_name, new.apartment_number, new.phone_number, new.shares_phone_number,
      new.vehicle, new.is_approved, new.is_admin, new.rejection_reason
    ) is distinct from (
      old.email, old.full_name, old.apartment_number, old.phone_number, old.shares_phone_number,
      old.vehicle, old.is_approved, old.is_admin, old.rejection_reason
    )
  )
  execute function private.record_event('profile.updated');
--! EndIncluded events/events_of_profiles.sql
--! Included mails/get_mail.sql
/*
 * What a mail says is read when it is sent: what was cancelled, read or erased since is not in it, nor a
 * turn that is over, and who was suspended or wants it no longer gets none.
 */
create or replace function private.get_mail(job_id uuid)
  returns table (
    email text,
    language text,
    building text,
    time_zone text,
    items jsonb,
    people jsonb,
    unsubscribe_key text
  )
  language plpgsql
  volatile
  security definer -- the API role has no access to addresses and to what is others'
  set search_path = ''
as $$
declare
  v_about jsonb;
  v_kind text;
  v_recipient record; -- of a view, which is made later
begin
  perform private.require_service();

  select j.data, j.data ->> 'kind'
    into v_about, v_kind
    from private.jobs j
   where j.id = get_mail.job_id
     and j.kind = 'mail'
     and j.ended_at is null;

  if v_kind = 'invitation' then
    return query
    select i.email, b.language, b.name, b.time_zone, '[{}]'::jsonb, '[]'::jsonb, null::text
      from parking.invitations i
     cross join parking.building b
     where i.id = (v_about ->> 'invitation_id')::uuid
       and i.status = 'open';
    return;
  end if;

  select r.* into v_recipient
    from private.mail_recipients r
   where r.id = (v_about ->> 'recipient_id')::uuid
     and v_kind = any (r.mail);

  if not found then
    return;
  end if;

  case
    when v_kind in ('claim.starts', 'claim.ends') then
      select jsonb_agg(
               jsonb_build_object(
                 'claim_id', c.id,
                 'message', '',
                 'data', private.notification_data(null, s, c.start_time, c.end_time, null)
               )
             )
        into items
        from parking.claims c
        join parking.spots s on s.id = c.spot_id
       where c.id = (v_about ->> 'claim_id')::uuid
         and c.claimer_id = v_recipient.id
         and c.status = 'active'
         and (v_about ->> 'at')::timestamptz > clock_timestamp()
         and (v_about ->> 'at')::timestamptz
               = case v_kind when 'claim.starts' then c.start_time else c.end_time end;
    when v_kind = 'profiles.waiting' then
      select jsonb_agg(
               jsonb_build_object('name', w.full_name, 'apartment', w.apartment_number)
               order by w.created_at
             )
        into people
        from private.waiting_people w
       where v_recipient.is_admin;
      items := case
        when people is not null
          then jsonb_build_array(
            jsonb_build_object(
              'message', '', 'data', jsonb_build_object('count', jsonb_array_length(people))
            )
          )
      end;
    else
      select jsonb_agg(
               jsonb_build_object(
                 'id', n.id,
                 'claim_id', n.claim_id,
                 'spot_id', n.spot_id,
                 'message', n.message,
                 'data', n.data
               )
               order by n.created_at, n.id
             )
        into items
        from parking.notifications n
       where n.id in (select i.id::uuid from jsonb_array_elements_text(v_about -> 'notifications') i (id))
         and n.recipient_id = v_recipient.id
         and n.resolved_at is null
         and not n.is_read
         and coalesce((n.data ->> 'offered_until')::timestamptz > clock_timestamp(), true);
  end case;

  if items is not null then
    return query
    select v_recipient.email,
           v_recipient.language,
           b.name,
           b.time_zone,
           get_mail.items,
           coalesce(get_mail.people, '[]'),
           private.unsubscribe_key(v_recipient.id)
      from parking.building b;
  end if;
end;
$$;

comment on function private.get_mail is
  'To whom the mail of a job goes and what it is about; no row where there is nothing to be said any more.';
grant execute on function private.get_mail to parking_api;
--! EndIncluded mails/get_mail.sql
