--! Previous: sha1:9942f4617690ff4798490904e6ef4216c785af2a
--! Hash: sha1:32540cc637a42d442adecfbbdb608cab1d612e5e
--! Message: What readers found

--! Included profiles/erase_from_texts.sql
/*
 * People write names into free texts: reasons, reports of cars and the descriptions of spots. There they are replaced.
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

  perform set_config('parking.erasing', 'off', true);
end;
$$;

comment on function private.erase_from_texts is
  'Erases these names from reasons, from reports of cars, from the descriptions of this person''s spots, and from the messages that repeat these.';
--! EndIncluded profiles/erase_from_texts.sql
--! Included profiles/erase_person.sql
/*
 * A person who leaves has a right to leave no trace: name, address and phone number go from everywhere,
 * also from the event log. Rows stay, so that counts and reports stay true, and so does what is over.
 */
create or replace function private.erase_person(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  v_names text[];
  v_profile parking.profiles;
begin
  perform private.lock_person(erase_person.id);
  v_names := private.names_of(erase_person.id);
  perform private.end_of_person(erase_person.id);

  -- What the person accepted, and could still accept: somebody else may be invited by an address that
  -- this person only claims.
  delete from parking.invitations i
   where i.profile_id = erase_person.id
      or i.address = (
           select private.address_key(u.email)
             from private.users u
            where u.id = erase_person.id
              and u.email_confirmed_at is not null
         );

  -- A changed address locks the profile so that nobody can notify the person any more. A transaction that
  -- is about to may have changed an older notification, which is deleted below: it ends first.
  perform
     from parking.notifications n
    where n.recipient_id = erase_person.id
    order by n.id
      for update;

  update private.users u
     set email = u.id || '@erased.invalid',
         email_confirmed_at = null,
         erased_at = now()
   where u.id = erase_person.id;

  update parking.profiles p
     set full_name = null,
         apartment_number = 'erased',
         phone_number = null,
         shares_phone_number = false,
         vehicle = null,
         rejection_reason = null,
         is_approved = false,
         is_admin = false
   where p.id = erase_person.id
  returning * into v_profile;

  if not found then
    raise exception using
      errcode = 'no_data_found',
      message = format('Nobody has registered with the id %s', erase_person.id);
  end if;

  delete from private.idempotency_keys k
   where k.person_id = erase_person.id;

  delete from parking.preferences p
   where p.person_id = erase_person.id;

  delete from parking.spot_reports r
   where r.reporter_id = erase_person.id;

  perform private.lock_events();
  perform private.erase_guests(erase_person.id);
  perform private.erase_notes(erase_person.id);

  insert into private.new_events (type, subject_id, data)
  values ('profile.erased', v_profile.id, to_jsonb(v_profile));

  -- After the last event: the reason of the erasure may name the person too.
  perform private.erase_from_texts(erase_person.id, v_names);

  perform set_config('parking.erasing', 'on', true); -- the exception of events_are_only_added

  update private.events e
     set data = e.data - '{vehicle, rejection_reason}'::text[] || jsonb_build_object(
           'email', v_profile.email,
           'full_name', null,
           'apartment_number', 'erased',
           'phone_number', null
         ),
         reason = case when e.type <> 'profile.rejected' then e.reason end
   where e.subject_id = erase_person.id
     and e.type like 'profile.%';

  -- What a report says of a car is dropped when its event gets a position: private.event_data.
  update private.new_events e
     set data = e.data - '{vehicle, note}'::text[]
   where e.type like 'report.%'
     and e.data ->> 'reporter_id' = erase_person.id::text;

  perform set_config('parking.erasing', 'off', true);
end;
$$;

comment on function private.erase_person is
  'Erases the personal data of the person with this id: from the profile, the sign-in data, their spots, what they wrote about these, the guests and vehicles of their claims, the event log, the notifications, the invitations and the answers kept under idempotency keys. Cancels their claims that have not ended and those on their spots, and ends their free windows. For the owner of the database (npm run erase).';
--! EndIncluded profiles/erase_person.sql
--! Included profiles/names_of.sql
/* People write names into free texts: reasons and the descriptions of spots. */
create or replace function private.names_of(id uuid)
  returns text[]
  language sql
  stable
  set search_path = ''
begin atomic
  with known as (
    select p.full_name, p.email, p.phone_number, p.vehicle
      from parking.profiles p
     where p.id = names_of.id
    union all
    select e.data ->> 'full_name', e.data ->> 'email', e.data ->> 'phone_number', e.data ->> 'vehicle'
      from private.events e
     where e.subject_id = names_of.id
       and e.type like 'profile.%'
    union all
    select i.full_name, i.email, null as phone_number, null as vehicle
      from parking.invitations i
     where i.profile_id = names_of.id
  )
  select array_agg(distinct n.name)
    from known k
   cross join lateral (
     values (k.full_name), (k.email), (k.phone_number), (k.vehicle), (private.plate(k.vehicle))
     union all
     -- Also first and last name alone; not the "van" and "der" in between.
     select part.name
       from regexp_split_to_table(k.full_name, '\W+') as part (name)
      where part.name !~ '^[[:lower:]]'
         or k.full_name = lower(k.full_name)
   ) n (name)
   -- A shorter one would match too many other words.
   where char_length(n.name) >= case when private.is_of_script_without_spaces(n.name) then 2 else 3 end;
end;

comment on function private.names_of is
  'The names, in whole and in part, and the addresses, phone numbers and plates that a person has or had.';
--! EndIncluded profiles/names_of.sql
--! Included availabilities/is_put_away.sql
/* Nobody offers a spot for one millisecond: of a window that is so short, the cancelled claims are kept. */
create or replace function private.is_put_away(start_time timestamptz, end_time timestamptz)
  returns boolean
  language sql
  immutable
  parallel safe
return end_time - start_time = interval '1 millisecond';

comment on function private.is_put_away is
  'Whether a window with these times was withdrawn (private.withdraw_window), and is no offer any more.';
grant execute on function private.is_put_away to parking_api, parking_reporter;
--! EndIncluded availabilities/is_put_away.sql
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
      perform set_config('parking.joining', 'on', true);
      delete from parking.availabilities a
       where a.id = v_piece.id;
      perform set_config('parking.joining', 'off', true);
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
--! Included availabilities/keep_on_offer.sql
/* What a claim leaves of a free window was on offer before: nobody with an offer of it is told anew, and turns go on. */
create or replace function private.keep_on_offer(
    id uuid,
    start_time timestamptz,
    end_time timestamptz
)
  returns void
  language plpgsql
  volatile
  security invoker -- for triggers that may: no grant to the API role
  set search_path = ''
as $$
begin
  perform set_config('parking.recutting', 'on', true);
  perform private.offer_rest(keep_on_offer.id, keep_on_offer.start_time, keep_on_offer.end_time);
  perform set_config('parking.recutting', 'off', true);

  perform private.move_offers(w.id, p.id)
     from parking.availabilities w
     join parking.availabilities p on p.part_of = w.part_of and p.during -|- w.during
    where w.id = keep_on_offer.id
      and not p.is_claimed;
end;
$$;

comment on function private.keep_on_offer is
  'Cuts a window that was free to the times of its claim, as private.offer_rest does, and keeps the offers of the rest.';
--! EndIncluded availabilities/keep_on_offer.sql
--! Included availabilities/rejoin_piece.sql
/* What is published beside a piece of the same window, or of the same day of a pattern, becomes one with it. */
create or replace function private.rejoin_piece(id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- the API role may write neither part_of nor origins
  set search_path = ''
as $$
declare
  v_window parking.availabilities;
  v_beside parking.availabilities[];
  v_parts uuid[];
begin
  select a.* into v_window
    from parking.availabilities a
   where a.id = rejoin_piece.id
     and a.owner_id = (select private.caller_id())
     and not a.is_claimed;
  v_beside := array(
    select n
      from parking.availabilities n
     where n.spot_id = v_window.spot_id
       and n.during -|- v_window.during
       and (
         private.origin_of(n.id) = private.origin_of(v_window.id)
         or n.part_of is not null
           and (n.pattern_id, n.pattern_day) = (v_window.pattern_id, v_window.pattern_day)
       )
  );
  if cardinality(v_beside) = 0 then
    return;
  end if;

  -- What exceptions cut has no number yet, and the two sides may have different ones.
  v_parts := array(
    select b.part_of from unnest(v_beside) b where b.part_of is not null
  ) || coalesce(v_window.part_of, uuidv7());

  -- What its owner moved meanwhile may be more than what was cut off.
  if exists (
    select
      from parking.availabilities a
     where a.spot_id = v_window.spot_id
       and (
         a.id = v_window.id
         or a.id in (select b.id from unnest(v_beside) b)
         or a.part_of = any (v_parts)
       )
    having max(a.end_time) > private.days_after(
      min(a.start_time), (private.limits_of(v_window.spot_id)).longest_window_days
    )
  ) then
    return;
  end if;

  update parking.availabilities a
     set part_of = v_parts[1]
   where a.spot_id = v_window.spot_id
     and (
       a.id = v_window.id
       or a.id in (select b.id from unnest(v_beside) b)
       or a.part_of = any (v_parts)
     )
     and a.part_of is distinct from v_parts[1];

  insert into private.window_origins (window_id, origin_id)
  select v_window.id, private.origin_of(v_beside[1].id)
   where private.origin_of(v_beside[1].id) <> v_window.id
  on conflict do nothing;
  perform private.join_pieces(v_window.id);
end;
$$;

comment on function private.rejoin_piece is
  'Makes a free window of the caller, with this id, a piece of what was one window with those beside it, and joins those that are free: up to the longest window of the spot.';
grant execute on function private.rejoin_piece to parking_api;
--! EndIncluded availabilities/rejoin_piece.sql
--! Included availabilities/update_availability.sql
create or replace function api.update_availability(
    id uuid,
    start_time timestamptz default null,
    end_time timestamptz default null
)
  returns parking.availabilities
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_before parking.availabilities;
  v_availability parking.availabilities;
begin
  perform private.lock_spot_of_window(update_availability.id);
  perform private.require_approved();

  if num_nonnulls(update_availability.start_time, update_availability.end_time) > 0 then
    update parking.availabilities a
       set start_time = coalesce(update_availability.start_time, a.start_time),
           end_time = coalesce(update_availability.end_time, a.end_time)
     where a.id = update_availability.id
    returning old.* into v_before;

    -- What is moved by hand is a window of its own.
    if v_before.pattern_id is not null
      and not exists (
        select
          from parking.availabilities a
         where a.id = v_before.id
           and a.during = v_before.during
      )
    then
      update parking.availabilities a set pattern_id = null where a.id = v_before.id;
      perform private.leave_out(v_before.pattern_id, v_before.pattern_day, v_before.during);
    end if;
  end if;

  select a.* into v_availability
    from parking.availabilities a
   where a.id = update_availability.id
     and a.owner_id = (select private.caller_id());

  if v_availability.id is null then
    perform private.refuse_unchanged(
      'availabilities', 'availabilities_updated_by_spot_owner',
      exists (select from parking.availabilities a where a.id = update_availability.id)
    );
  end if;

  perform private.require_approved(); -- still, after all the waiting
  return v_availability;
end;
$$;

comment on function api.update_availability is
  'Move a window of your spot that nobody has claimed';
grant execute on function api.update_availability to parking_api;
--! EndIncluded availabilities/update_availability.sql
--! Included claims/enforce_offers.sql
/*
 * Whose turn it is follows from the wishes and the clock: of those to whom the time is offered, who
 * asked first and can still take it. Who was suspended, withdrew or has another claim is passed over.
 */
create or replace function private.enforce_offers()
  returns trigger
  language plpgsql
  security definer -- the wishes are those of others
  set search_path = ''
as $$
declare
  v_holder_id uuid;
  v_until timestamptz;
begin
  -- Nearly nothing while nobody has ever waited: the table has no page then. A longer condition of the
  -- trigger would cost more, because each statement reads it anew.
  if new.status = 'cancelled' or pg_relation_size('parking.wishes', 'main') = 0 then
    return null;
  end if;

  select w.wisher_id, w.offered_until
    into v_holder_id, v_until
    from parking.wishes w
    join parking.notifications n on n.id = w.id and n.spot_id = new.spot_id
    join parking.profiles p on p.id = w.wisher_id and p.is_approved
    join parking.availabilities a on a.id = new.availability_id
   cross join parking.building b
   where w.claim_id is null
     -- A claim that is moved has its window already, but not another that it makes its own.
     and (tg_op = 'INSERT' or w.availability_id <> new.availability_id)
     and w.offered_until > clock_timestamp()
     -- What the claim takes from others: the whole window, unless the rest stays on offer.
     and w.start_time < case when b.rest_stays_on_offer then new.end_time else a.end_time end
     and w.end_time > case when b.rest_stays_on_offer then new.start_time else a.start_time end
     and b.offer_minutes is not null
     -- They can still take it: a free window has all of it, or had, with what the claim joined by now.
     and exists (
       select
         from parking.availabilities f
        where f.spot_id = new.spot_id
          and f.start_time < w.end_time
          and f.end_time > w.start_time
          and (not f.is_claimed or f.id = new.availability_id)
        group by coalesce(f.part_of, f.id)
       having range_agg(f.during) @> tstzrange(w.start_time, w.end_time)
     )
   order by w.offered_until, w.id
   limit 1;

  if v_holder_id <> new.claimer_id then
    raise exception using
      errcode = '23514',
      message = format('refused by rule "%s"', tg_name),
      constraint = tg_name,
      hint = private.iso8601(v_until); -- {until} in the message of the rule
  end if;
  return null;
end;
$$;

comment on function private.enforce_offers is
  'Trigger function: refuses a claim of a time that is offered to another at the moment.';
--! EndIncluded claims/enforce_offers.sql
--! Included claims/mark_availability.sql
/*
 * Keeps is_claimed of the window, which is true while an active or completed claim holds it, and the
 * counts of days and of the claimer. Together, because the claim and its window are mostly of one day.
 * Then cuts the window, or joins it.
 */
create or replace function private.mark_availability()
  returns trigger
  language plpgsql
  security definer -- the window belongs to the owner of the spot, not to the claimer; only triggers write counts
  set search_path = ''
as $$
declare
  -- At most one claim of a window is not cancelled (claims_one_per_availability). Only that claim
  -- counts; a change of a cancelled one never frees the window.
  v_before constant uuid :=
    case when tg_op = 'UPDATE' and old.status <> 'cancelled' then old.availability_id end;
  v_now constant uuid := case when new.status <> 'cancelled' then new.availability_id end;
  v_freed parking.availabilities;
  v_taken parking.availabilities;
begin
  -- Here, because a trigger's condition that is long costs each cancellation more.
  if tg_op = 'UPDATE'
    and (new.claimer_id, new.status, new.start_time, new.end_time)
      is not distinct from (old.claimer_id, old.status, old.start_time, old.end_time)
    -- A cancelled claim holds no window. It comes to another one where pieces are joined.
    and v_now is not distinct from v_before
  then
    return null;
  end if;

  if v_before is not null and v_now is distinct from v_before then
    update parking.availabilities a set is_claimed = false where a.id = v_before
    returning * into v_freed;
  end if;
  if v_now is not null and v_before is distinct from v_now then
    update parking.availabilities a set is_claimed = true where a.id = v_now
    returning * into v_taken;
  end if;

  if tg_op = 'UPDATE' and (
    (new.start_time, new.end_time) <> (old.start_time, old.end_time)
    or v_before <> v_now
  ) then
    perform private.add_day_counts(
      v_freed.start_time,
      v_freed.end_time,
      claimed => -1,
      claim_start => old.start_time,
      claim_end => old.end_time,
      active => -(old.status = 'active')::integer,
      completed => -(old.status = 'completed')::integer,
      cancelled => -(old.status = 'cancelled')::integer
    );
    perform private.add_day_counts(
      v_taken.start_time,
      v_taken.end_time,
      claimed => 1,
      claim_start => new.start_time,
      claim_end => new.end_time,
      active => (new.status = 'active')::integer,
      completed => (new.status = 'completed')::integer,
      cancelled => (new.status = 'cancelled')::integer
    );
  else
    -- Of a new claim, old is null.
    perform private.add_day_counts(
      coalesce(v_taken.start_time, v_freed.start_time),
      coalesce(v_taken.end_time, v_freed.end_time),
      claimed => (v_now is not null)::integer - (v_before is not null)::integer,
      claim_start => new.start_time,
      claim_end => new.end_time,
      active => (new.status = 'active')::integer - (old.status is not distinct from 'active')::integer,
      completed => (new.status = 'completed')::integer - (old.status is not distinct from 'completed')::integer,
      cancelled => (new.status = 'cancelled')::integer - (old.status is not distinct from 'cancelled')::integer
    );
  end if;

  if (new.claimer_id, new.status) is distinct from (old.claimer_id, old.status) then
    if tg_op = 'UPDATE' then
      perform private.add_person_count(old.claimer_id, old.status, -1);
    end if;
    perform private.add_person_count(new.claimer_id, new.status, 1);
  end if;

  if v_freed.part_of is not null then
    perform private.join_pieces(v_freed.id);
  end if;
  if v_now is not null
    and (v_taken.start_time, v_taken.end_time) is distinct from (new.start_time, new.end_time)
  then
    -- Whoever claims may have set it, and what they give back is to be told.
    perform set_config('parking.recutting', 'off', true);
    perform case
              when v_taken.id is null then private.offer_rest(v_now, new.start_time, new.end_time)
              else private.keep_on_offer(v_now, new.start_time, new.end_time)
            end
       from parking.building b
      where b.rest_stays_on_offer;
  end if;
  return null;
end;
$$;

comment on function private.mark_availability is
  'Trigger function: sets is_claimed of the windows that a claim takes and frees, counts the claim and its window, and keeps the rest on offer where the building wants that.';

create or replace trigger mark_availability
  after insert on parking.claims
  for each row
  execute function private.mark_availability();

create or replace trigger mark_availability_of_changed
  after update on parking.claims
  for each row
  execute function private.mark_availability();
--! EndIncluded claims/mark_availability.sql
--! Included exception_changes/enforce_few_a_day.sql
create or replace function private.enforce_few_a_day()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- Not what one that keeps takes later: neither the end of a claim nor that of another exception fails
  -- by it. What is shared again counts, and stays off offer where it is too much (private.share_again).
  if exists (
    select
      from (
        select e.owner_id, count(*)::integer as number
          from added a
          join parking.exceptions e on e.id = a.exception_id
         where e.created_at = now()::timestamptz(3)
            or e.kind = 'share'
         group by e.owner_id
      ) n
     where private.count_changed_windows(n.owner_id, 'exception', n.number) > tg_argv[0]::integer
  ) then
    perform private.refuse(tg_name, '23514');
  end if;
  return null;
end;
$$;

comment on function private.enforce_few_a_day is
  'Trigger function: refuses a new exception, and what an older one shares again, to a resident whose exceptions have changed as many windows on this day as the argument says.';
--! EndIncluded exception_changes/enforce_few_a_day.sql
--! Included patterns/delete_pattern.sql
create or replace function api.delete_pattern(
    id uuid,
    out message text,
    out deleted_pattern_id uuid,
    out claimed_availability_ids uuid[]
)
  language plpgsql
  volatile
  security invoker
  set search_path = ''
as $$
declare
  v_spot_id uuid;
  v_offered tstzmultirange;
begin
  perform private.lock_spot_of_pattern(delete_pattern.id);
  perform private.require_approved();

  select p.spot_id, range_agg(a.during)
    into v_spot_id, v_offered
    from parking.patterns p
    join parking.availabilities a on a.spot_id = p.spot_id and a.pattern_id = p.id
   where p.id = delete_pattern.id
   group by p.id;
  perform private.withdraw_windows(p) from parking.patterns p where p.id = delete_pattern.id;

  claimed_availability_ids := array(
    select a.id
      from parking.patterns p
      join parking.availabilities a on a.spot_id = p.spot_id and a.pattern_id = p.id
     where p.id = delete_pattern.id
       and a.is_claimed
       and a.end_time > clock_timestamp()
     order by a.start_time
  );

  delete from parking.patterns p
   where p.id = delete_pattern.id;

  if not found then
    perform private.refuse_absent('patterns');
  end if;

  perform private.share_again(v_spot_id, v_offered);

  message := 'Pattern deleted successfully';
  deleted_pattern_id := delete_pattern.id;
end;
$$;

comment on function api.delete_pattern is
  'End a pattern: its windows that nobody has claimed are withdrawn, those that are claimed stay, and are named';
grant execute on function api.delete_pattern to parking_api;
--! EndIncluded patterns/delete_pattern.sql
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
begin
  select a.spot_id, range_agg(a.during)
    into v_spot_id, v_offered
    from parking.patterns p
    join parking.availabilities a on a.spot_id = p.spot_id and a.pattern_id = p.id
   where p.id = renew_pattern.id
   group by a.spot_id;
  perform private.withdraw_windows(p) from parking.patterns p where p.id = renew_pattern.id;
  perform private.note_published(renew_pattern.id, null);
  return query select p.* from private.publish_pattern(renew_pattern.id) p;
  perform private.share_again(v_spot_id, v_offered);
end;
$$;

comment on function private.renew_pattern is
  'Makes the windows of a changed pattern anew, but for those that are claimed or have begun, and the days that the owner left out. What it offers no longer stays on offer where an exception shares it.';
grant execute on function private.renew_pattern to parking_api;
--! EndIncluded patterns/renew_pattern.sql
--! Included exceptions/delete_exception.sql
create or replace function api.delete_exception(
    id uuid,
    out message text,
    out deleted_exception_id uuid
)
  language plpgsql
  volatile
  security invoker -- what is published again is published as by its owner, so every rule binds
  set search_path = ''
as $$
declare
  v_exception parking.exceptions;
  v_taken jsonb;
  v_offered jsonb;
begin
  perform private.lock_spots_of_exception(delete_exception.id);
  perform private.require_approved();

  select jsonb_agg(o) into v_offered
    from (
      select w.spot_id, range_agg(w.during) as times
        from private.shared_windows(delete_exception.id) w
       group by w.spot_id
    ) o;
  perform private.withdraw_shared(delete_exception.id);
  select jsonb_agg(t) into v_taken from private.taken_times(delete_exception.id) t;

  delete from parking.exceptions e
   where e.id = delete_exception.id
  returning * into v_exception;

  if v_exception.id is null then
    perform private.refuse_absent('exceptions');
  end if;

  perform private.publish_left_days(v_exception);
  perform private.restore_kept(v_taken);
  -- Only what was on offer until now, or never was: what was withdrawn by hand stays withdrawn.
  perform private.share_again(o.spot_id, o.times)
     from jsonb_to_recordset(v_offered) o (spot_id uuid, times tstzmultirange);
  if v_exception.kind = 'keep' then
    perform private.share_again(
      v_exception.spot_id,
      tstzmultirange(tstzrange(v_exception.start_time, v_exception.end_time)),
      newer_than => v_exception.id
    );
  end if;

  message := 'Exception deleted successfully';
  deleted_exception_id := delete_exception.id;
end;
$$;

comment on function api.delete_exception is
  'Delete an exception, and undo what it did where nobody has claimed since';
grant execute on function api.delete_exception to parking_api;
--! EndIncluded exceptions/delete_exception.sql
--! Included exceptions/restore_window.sql
create or replace function private.restore_window(taken private.exception_changes, span tstzrange)
  returns void
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_before parking.availabilities;
  v_after parking.availabilities;
  v_id uuid;
begin
  if taken.pattern_id is not null
    and not private.is_of_pattern(taken.pattern_id, taken.pattern_day, span)
  then
    return; -- its owner shares it no longer
  end if;

  select a.* into v_before
    from parking.availabilities a
   where a.spot_id = taken.spot_id
     and a.end_time = lower(span)
     and not a.is_claimed
     and private.origin_of(a.id) = taken.window_id;
  select a.* into v_after
    from parking.availabilities a
   where a.spot_id = taken.spot_id
     and a.start_time = upper(span)
     and not a.is_claimed
     and private.origin_of(a.id) = taken.window_id;

  -- What is left of the window has its time back, and becomes one with what is beside it.
  if v_before.id is not null then
    update parking.availabilities a set end_time = upper(span) where a.id = v_before.id;
    perform private.rejoin_piece(v_before.id);
    return;
  elsif v_after.id is not null then
    update parking.availabilities a set start_time = lower(span) where a.id = v_after.id;
    perform private.rejoin_piece(v_after.id);
    return;
  end if;

  -- One that was withdrawn and not deleted (private.withdraw_window) comes back itself.
  if taken.pattern_id is null then
    update parking.availabilities a
       set start_time = lower(span),
           end_time = upper(span)
     where a.id = taken.window_id
       and private.is_put_away(a.start_time, a.end_time)
       and not a.is_claimed;
    if found then
      perform private.rejoin_piece(taken.window_id);
      return;
    end if;
  end if;

  insert into parking.availabilities
    (spot_id, owner_id, start_time, end_time, pattern_id, pattern_day)
  select s.id, s.owner_id, lower(span), upper(span), taken.pattern_id, taken.pattern_day
    from parking.spots s
   where s.id = taken.spot_id
     and not exists (
       select
         from parking.patterns p
        where p.id = taken.pattern_id
          and taken.pattern_day = any (p.left_out)
     )
  returning id into v_id;
  perform private.note_origin(v_id, taken.window_id);
  perform private.rejoin_piece(v_id);
end;
$$;

comment on function private.restore_window is
  'Offers a time again that was taken from a window: as part of what is left of it, or as a window of its own.';
grant execute on function private.restore_window to parking_api;
--! EndIncluded exceptions/restore_window.sql
--! Included exceptions/share_again.sql
/* What ended an offer ended it for itself: what an exception shares of that time is on offer again. */
create or replace function private.share_again(
    spot_id uuid,
    gone tstzmultirange,
    newer_than uuid default null
)
  returns void
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_shared parking.exceptions;
begin
  for v_shared in
    select e.id, e.owner_id, e.own_spot_id, lower(span), upper(span), e.kind, e.created_at, e.updated_at
      from (
        select e.*,
               s.id as own_spot_id,
               tstzmultirange(whole) * gone - coalesce(range_agg(whole) over earlier, '{}') as times
          from parking.exceptions e
          join parking.spots s
            on s.owner_id = e.owner_id
           and s.id = coalesce(e.spot_id, s.id)
           and s.id < e.id -- one that came later was never shared by it
         cross join lateral tstzrange(e.start_time, e.end_time) whole
         where e.owner_id = (select private.caller_id())
           and e.kind = 'share'
           and s.id = coalesce(share_again.spot_id, s.id)
           and (newer_than is null or e.id > newer_than)
        -- Each time once, by the first that shares it: they may be fifty, and the times of a year.
        window earlier as (
          partition by s.id
          order by e.start_time, e.id
          rows between unbounded preceding and 1 preceding
        )
      ) e
     cross join lateral unnest(e.times) span
     where upper(span) > clock_timestamp()
     order by e.start_time, e.id, e.own_spot_id, span
  loop
    begin
      perform private.share_own_spots(v_shared);
    exception
      -- As in private.restore_kept. A limit of one spot is none of another.
      when check_violation then null;
    end;
  end loop;
end;
$$;

comment on function private.share_again is
  'Offers what exceptions of the caller, of kind share, have of these times: of one spot, or of all where it is null; only of exceptions that were made after another, where that is given.';
grant execute on function private.share_again to parking_api;
--! EndIncluded exceptions/share_again.sql
--! Included exceptions/share_own_spots.sql
/* Who is away shares what is not on offer yet. Windows are published as their owner publishes them, so every rule binds. */
create or replace function private.share_own_spots(shared parking.exceptions)
  returns void
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_zone constant text := (private.building()).time_zone;
  v_span constant tstzrange := tstzrange(
    least(greatest(shared.start_time, private.next_minute()), shared.end_time),
    shared.end_time
  );
  v_windows uuid[];
begin
  with gaps as (
    select s.id, s.owner_id, gap
      from parking.spots s
     cross join lateral unnest(
       tstzmultirange(v_span)
       - coalesce((
           select range_agg(a.during)
             from parking.availabilities a
            where a.spot_id = s.id
              and a.start_time < shared.end_time
              and a.end_time > lower(v_span)
         ), '{}')
       - private.kept_times(s.id, shared.end_time)
     ) gap
     where s.owner_id = shared.owner_id
       and s.id = coalesce(shared.spot_id, s.id)
  ),
  pieces as (
    select g.id,
           g.owner_id,
           piece as start_time,
           least(upper(gap), private.days_after(piece, l.longest_window_days)) as end_time
      from gaps g
     cross join lateral private.limits_of(g.id) l
     cross join lateral generate_series(
       lower(gap),
       -- Nobody could claim a shorter one.
       upper(gap) - make_interval(mins => coalesce(l.shortest_claim_minutes, 1)),
       make_interval(days => coalesce(l.longest_window_days, 1000)),
       v_zone
     ) piece
  ),
  published as (
    insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
    select p.id, p.owner_id, p.start_time, p.end_time
      from pieces p
     order by p.id, p.start_time
    returning id
  )
  select array_agg(p.id) into v_windows
    from published p;

  perform private.note_shared(shared.id, v_windows);
end;
$$;

comment on function private.share_own_spots is
  'Publishes what is not on offer yet of the time of an exception, in windows as long as the limits of each spot allow; not what another exception keeps.';
grant execute on function private.share_own_spots to parking_api;
--! EndIncluded exceptions/share_own_spots.sql
--! Included exceptions/shared_windows.sql
create or replace function private.shared_windows(exception_id uuid)
  returns setof parking.availabilities
  language sql
  stable
  security definer -- the API role may not read what an exception did
  set search_path = ''
as $$
  select a.*
    from parking.exceptions e
    join private.exception_changes t on t.exception_id = e.id
    join parking.availabilities a on a.spot_id = t.spot_id
   where e.id = shared_windows.exception_id
     and e.kind = 'share'
     and e.owner_id = (select private.caller_id())
     and not a.is_claimed
     -- Where its owner has given it other times since, it is another offer.
     and a.start_time >= t.start_time
     and a.end_time <= t.end_time
     and a.end_time > clock_timestamp()
     and private.origin_of(a.id) = t.window_id
$$;

comment on function private.shared_windows is
  'The free windows that an exception of the caller, of kind share, published and that have not ended.';
grant execute on function private.shared_windows to parking_api;
--! EndIncluded exceptions/shared_windows.sql
--! Included exceptions/withdraw_kept.sql
/* What an owner needs is not on offer. What was offered until now, was offered. */
create or replace function private.withdraw_kept(
    kept parking.exceptions,
    spot_id uuid,
    within tstzrange default '(,)'
)
  returns void
  language plpgsql
  volatile
  security invoker -- a tool of functions with the rights of the owner: no grant to the API role
  set search_path = ''
as $$
declare
  v_from constant timestamptz :=
    greatest(kept.start_time, date_trunc('milliseconds', clock_timestamp()));
  v_windows constant parking.availabilities[] := array(
    select a
      from parking.availabilities a
     where a.spot_id = withdraw_kept.spot_id
       and not a.is_claimed
       and a.start_time < kept.end_time
       and a.end_time > v_from
       and a.during && withdraw_kept.within
     order by a.start_time
  );
  v_window parking.availabilities;
  v_rest_id uuid;
begin
  insert into private.exception_changes
    (exception_id, window_id, start_time, end_time, spot_id, pattern_id, pattern_day)
  select kept.id,
         private.origin_of(w.id),
         greatest(w.start_time, v_from),
         least(w.end_time, kept.end_time),
         w.spot_id,
         w.pattern_id,
         w.pattern_day
    from unnest(v_windows) w
      on conflict on constraint exception_changes_pkey
      do update set end_time = greatest(exception_changes.end_time, excluded.end_time);

  perform private.withdraw_all(array(
    select w.id
      from unnest(v_windows) w
     where w.start_time >= v_from
       and w.end_time <= kept.end_time
  ));

  -- The two at the edges, or one.
  foreach v_window in array array(
    select w
      from unnest(v_windows) w
     where w.start_time < v_from
        or w.end_time > kept.end_time
  ) loop
    if v_window.start_time < v_from then
      update parking.availabilities a set end_time = v_from where a.id = v_window.id;

      if v_window.end_time > kept.end_time then
        perform set_config('parking.recutting', 'on', true); -- it was on offer
        insert into parking.availabilities
          (spot_id, owner_id, start_time, end_time, part_of, pattern_id, pattern_day, created_at)
        values (
          v_window.spot_id, v_window.owner_id, kept.end_time, v_window.end_time,
          v_window.part_of, v_window.pattern_id, v_window.pattern_day, v_window.created_at
        )
        returning id into v_rest_id;
        perform set_config('parking.recutting', 'off', true);
        perform private.move_offers(v_window.id, v_rest_id);
        insert into private.window_origins (window_id, origin_id)
        values (v_rest_id, private.origin_of(v_window.id));
      end if;
    else
      update parking.availabilities a set start_time = kept.end_time where a.id = v_window.id;
    end if;
  end loop;
end;
$$;

comment on function private.withdraw_kept is
  'Cuts or withdraws the free windows of a spot that an exception of kind keep touches, those that also touch the range, and notes what it took.';
--! EndIncluded exceptions/withdraw_kept.sql
--! Included exceptions/withdraw_shared.sql
create or replace function private.withdraw_shared(exception_id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- the API role may not read what an exception did, nor keep the history of a window
  set search_path = ''
as $$
declare
  v_now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_windows constant parking.availabilities[] := array(
    select w from private.shared_windows(withdraw_shared.exception_id) w
  );
begin
  -- What an exception of kind keep took of these windows is not to come back.
  delete from private.exception_changes t
   using parking.exceptions e, private.exception_changes own
   where e.id = withdraw_shared.exception_id
     and e.kind = 'share'
     and e.owner_id = (select private.caller_id())
     and own.exception_id = e.id
     and t.exception_id <> e.id
     and t.spot_id = own.spot_id
     and t.window_id = own.window_id
     and t.start_time >= own.start_time
     and t.end_time <= own.end_time;

  perform private.withdraw_all(array(
    select w.id from unnest(v_windows) w where w.start_time >= v_now
  ));

  -- What was offered until now, was offered.
  update parking.availabilities a
     set end_time = v_now
    from unnest(v_windows) w
   where a.id = w.id
     and w.start_time < v_now;
end;
$$;

comment on function private.withdraw_shared is
  'Withdraws the free windows that an exception of the caller, of kind share, published.';
grant execute on function private.withdraw_shared to parking_api;
--! EndIncluded exceptions/withdraw_shared.sql
--! Included notifications/renew_messages.sql
create or replace function private.renew_messages(ids uuid[])
  returns void
  language sql
  volatile
begin atomic
  update parking.notifications n
     set message = private.notification_message(
           n.recipient_id,
           n.kind,
           jsonb_populate_record(
             null::parking.spots,
             n.data || jsonb_build_object(
               'owner_id', case when n.data ? 'is_owner' then n.recipient_id end
             )
           ),
           (n.data ->> 'start_time')::timestamptz,
           (n.data ->> 'end_time')::timestamptz,
           n.data ->> 'reason'
         )
   where n.id = any (renew_messages.ids);
end;

comment on function private.renew_messages is
  'Writes the messages of these notifications as they would be written from their data as it is now.';
--! EndIncluded notifications/renew_messages.sql
--! Included wishes/move_offers.sql
/*
 * A window that is cut, or joined with another, was free all along: who was offered it has the same offer
 * of what their time is in now. One that is being fulfilled or withdrawn needs none.
 */
create or replace function private.move_offers(from_window uuid, to_window uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- for triggers that may: no grant to the API role
  set search_path = ''
as $$
begin
  if pg_relation_size('parking.wishes', 'main') = 0 then -- as in enforce_offers
    return;
  end if;

  with moved as (
    update parking.wishes w
       set availability_id = to_window
      from (
        select o.id
          from parking.wishes o
          join parking.availabilities a on a.id = to_window
         where o.availability_id = from_window
           and o.claim_id is null
           and o.start_time > clock_timestamp()
           and o.start_time >= a.start_time
           and o.start_time < a.end_time -- for the index
           and o.end_time <= a.end_time
         order by o.id
           for no key update of o skip locked
      ) o
     where w.id = o.id
    returning w.id
  )
  update parking.notifications n
     set availability_id = to_window
    from moved m
   where n.id = m.id;
end;
$$;

comment on function private.move_offers is
  'Makes what was offered of one window an offer of another, as far as that has the time of the wish.';
--! EndIncluded wishes/move_offers.sql
--! Included wishes/offer_to_waiting.sql
/*
 * A window that becomes free is offered to those whose wish it fits: to all at once, or, where the
 * building says how many minutes each has, one after the other. Nobody is woken when their turn comes:
 * from and until when it is stands in the wish and in the notification from the beginning, and the
 * rule claims_wait_for_offers reads the clock. A wish has one offer at a time and one notification, of
 * its own id: however many windows fit, and however often they come and go, it is one message to read.
 * Who needs nothing of the time that became free had theirs on offer before, and keeps their turn: of
 * these only those are told who have no offer, such as that of a window which is cut or claimed by now.
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
  v_spot parking.spots;
begin
  select s.* into v_spot from parking.spots s where s.id = offered.spot_id;

  with waiting as materialized (
    select w.id, w.wisher_id, w.start_time, w.created_at
      from parking.wishes w
      join parking.profiles p on p.id = w.wisher_id and p.is_approved
     where w.claim_id is null
       and w.start_time >= offered.start_time
       and w.start_time < offered.end_time
       and w.end_time <= offered.end_time
       and w.start_time > v_now
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
           offered_until = least(l.offered_until, case when v_each is not null then l.start_time end)
      from line l
     where w.id = l.id
       and (v_each is null or (l.place <= c_longest_line and l.offered_from < l.start_time))
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
--! Included rate_limits/table.sql
/* How many requests each caller has made lately: the count that several services share (RATE_LIMIT_STORE=postgres). */
create unlogged table if not exists private.rate_limits (
  key text,
  points integer not null,
  ends_at timestamptz(3) not null,
  constraint rate_limits_pkey primary key (key)
);

create index if not exists rate_limits_ends_at_idx on private.rate_limits (ends_at);

comment on table private.rate_limits is
  'Requests made in the current windows of time, one row per caller and window. Unlogged, because no request should wait for the disk and a crash may forget the counts.';
comment on column private.rate_limits.key is
  'The window and the caller, as <window>:<sub of the token>, <window>:feed of <its owner>, or <window>:mail of <the hash of the key>.';
comment on column private.rate_limits.points is
  'What was charged in the window so far.';
comment on column private.rate_limits.ends_at is
  'When the window ends. The row stays until the next charge of its key, or until other windows are opened.';
comment on index private.rate_limits_ends_at_idx is
  'Finds windows that ended, to delete them.';

alter table private.rate_limits enable row level security;
-- No policy and no grant: the API role counts through private.charge_rate_limits only.
--! EndIncluded rate_limits/table.sql
--! Included reports/offered_spans.sql
/* An index has all that this reads. Windows of a spot do not overlap: one at most is open at the start. */
create or replace function private.offered_spans(
    "from" timestamptz,
    until timestamptz,
    section text
)
  returns table (building_section text, start_time timestamptz, end_time timestamptz)
  language sql
  stable
  security invoker
as $$
  select s.building_section, a.start_time, least(a.end_time, offered_spans.until)
    from parking.spots s
    join parking.availabilities a on a.spot_id = s.id
   where (offered_spans.section is null or s.building_section = offered_spans.section)
     and a.start_time >= offered_spans."from"
     and a.start_time < offered_spans.until
     and not private.is_put_away(a.start_time, a.end_time)
  union all
  select s.building_section, offered_spans."from", least(o.end_time, offered_spans.until)
    from parking.spots s
   cross join lateral (
     select a.end_time
       from parking.availabilities a
      where a.spot_id = s.id
        and a.start_time < offered_spans."from"
        and not private.is_put_away(a.start_time, a.end_time)
      order by a.start_time desc
      limit 1
   ) o
   where (offered_spans.section is null or s.building_section = offered_spans.section)
     and o.end_time > offered_spans."from"
$$;

comment on function private.offered_spans is
  'What was offered in a period, of one section or of all: the windows, cut at its ends.';
grant execute on function private.offered_spans to parking_api;
--! EndIncluded reports/offered_spans.sql
--! Included reports/repeated_windows.sql
create or replace function private.repeated_windows("from" date, until date, step text)
  returns table (building_section text, first_day date, windows bigint)
  language plpgsql
  stable
  set search_path = ''
  set plan_cache_mode = force_custom_plan -- in which the bounds are a constant
as $$
declare
  v_until constant timestamptz := private.midnight(repeated_windows.until);
  v_days date[];
  v_bounds timestamptz[];
begin
  select array_agg(s.first_day order by s.first_day),
         array_agg(s.start_time order by s.first_day) || v_until
    into v_days, v_bounds
    from private.report_steps(repeated_windows."from", repeated_windows.until, repeated_windows.step) s;

  return query
    with windows as (
      select a.spot_id,
             lag(a.end_time) over (partition by a.spot_id order by a.start_time) as previous_end_time,
             width_bucket(a.start_time, v_bounds) as number
        from parking.availabilities a
       where a.start_time < v_until
         and not private.is_put_away(a.start_time, a.end_time)
    )
    select s.building_section, v_days[w.number], count(*)
      from windows w
      join parking.spots s on s.id = w.spot_id
     where w.previous_end_time > v_bounds[w.number]
     group by s.building_section, w.number;
end;
$$;

comment on function private.repeated_windows is
  'How many windows of each section begin in a step in which their spot was offered before. The period begins before all windows.';
--! EndIncluded reports/repeated_windows.sql
--! Included reports/spots_never_offered.sql
create or replace function api.spots_never_offered(
    "from" date,
    until date,
    section text default null
)
  returns table (
    id uuid,
    spot_number text,
    building_section text,
    owner_id uuid,
    is_verified boolean,
    last_offered timestamptz
  )
  language plpgsql
  stable
  security invoker -- an administrator may read all of this; private.report_start refuses everybody else
  set search_path = ''
as $$
declare
  v_from constant timestamptz := private.report_start(spots_never_offered."from", spots_never_offered.until);
  v_until constant timestamptz := private.midnight(spots_never_offered.until);
  v_rows bigint;
begin
  return query
    select s.id, s.spot_number, s.building_section, s.owner_id, s.is_verified, l.end_time
      from parking.spots s
      -- Windows of a spot do not overlap: the one that starts last before a moment ends last too.
      left join lateral (
        select a.end_time
          from parking.availabilities a
         where a.spot_id = s.id
           and a.start_time < v_until
           and not private.is_put_away(a.start_time, a.end_time)
         order by a.start_time desc
         limit 1
      ) l on true
     where (spots_never_offered.section is null or s.building_section = spots_never_offered.section)
       and s.created_at < v_until
       and (l.end_time > v_from) is not true
     order by s.spot_number, s.id
     limit 10001;

  get diagnostics v_rows = row_count;
  perform row(spots_never_offered."from", spots_never_offered.until, v_rows)::private.reports;
end;
$$;

comment on function api.spots_never_offered is
  'The spots that nobody could claim for any part of the period';
grant execute on function api.spots_never_offered to parking_api;
--! EndIncluded reports/spots_never_offered.sql
--! Included reports/windows_never_claimed.sql
create or replace function api.windows_never_claimed(
    "from" date,
    until date,
    section text default null
)
  returns table (
    id uuid,
    spot_id uuid,
    spot_number text,
    building_section text,
    owner_id uuid,
    start_time timestamptz,
    end_time timestamptz
  )
  language plpgsql
  stable
  security invoker -- an administrator may read all of this; private.report_start refuses everybody else
  set search_path = ''
as $$
declare
  v_from constant timestamptz := private.report_start(windows_never_claimed."from", windows_never_claimed.until);
  v_until constant timestamptz := least(private.midnight(windows_never_claimed.until), now());
  v_rows bigint;
begin
  return query
    select a.id, a.spot_id, s.spot_number, s.building_section, a.owner_id,
           a.start_time::timestamptz, a.end_time::timestamptz
      from parking.availabilities a
      join parking.spots s on s.id = a.spot_id
     where a.end_time > v_from
       and a.end_time <= v_until
       and not a.is_claimed
       and not private.is_put_away(a.start_time, a.end_time)
       -- Of what was one window, somebody claimed a part.
       and not exists (
         select from parking.availabilities p where p.part_of = a.part_of and p.is_claimed
       )
       and (windows_never_claimed.section is null or s.building_section = windows_never_claimed.section)
     order by a.end_time, a.id
     limit 10001;

  get diagnostics v_rows = row_count;
  perform row(windows_never_claimed."from", windows_never_claimed.until, v_rows)::private.reports;
end;
$$;

comment on function api.windows_never_claimed is
  'The windows that ended in the period and of which nobody had claimed any part';
grant execute on function api.windows_never_claimed to parking_api;
--! EndIncluded reports/windows_never_claimed.sql
--! Included reports/views/availabilities.sql
/* Every window, with how early it was published and how long it lasts. */
create or replace view reporting.availabilities as
  select a.id,
         a.spot_id,
         s.spot_number,
         s.building_section,
         a.owner_id,
         a.is_claimed,
         a.start_time,
         a.end_time,
         a.created_at,
         private.hours(tstzrange(a.created_at, greatest(a.start_time, a.created_at))) as lead_hours,
         private.hours(a.during) as duration_hours,
         a.part_of
    from parking.availabilities a
    join parking.spots s on s.id = a.spot_id
   where not private.is_put_away(a.start_time, a.end_time);

comment on view reporting.availabilities is
  'One row for each window that was not deleted or withdrawn.';
comment on column reporting.availabilities.id is
  'The window.';
comment on column reporting.availabilities.spot_id is
  'The spot that was offered.';
comment on column reporting.availabilities.spot_number is
  'The number on the ground.';
comment on column reporting.availabilities.building_section is
  'Section or location of the spot.';
comment on column reporting.availabilities.owner_id is
  'The owner of the spot; a key to count by, not a name.';
comment on column reporting.availabilities.is_claimed is
  'Whether an active or completed claim holds it.';
comment on column reporting.availabilities.start_time is
  'The first moment of the window.';
comment on column reporting.availabilities.end_time is
  'The first moment after the window.';
comment on column reporting.availabilities.created_at is
  'When it was published.';
comment on column reporting.availabilities.lead_hours is
  'How long before its start it was published.';
comment on column reporting.availabilities.duration_hours is
  'How long it lasts.';
comment on column reporting.availabilities.part_of is
  'The same for all pieces of what was one window, of which somebody claimed a part; null where none was cut.';
grant select on reporting.availabilities to parking_reporter;
--! EndIncluded reports/views/availabilities.sql
--! Included reports/views/people.sql
/* Who gives and who takes. Seconds are added up, not intervals: 750 that last until the year 9999 are too long for one. */
create or replace view reporting.people as
  select p.id as profile_id,
         p.is_approved,
         coalesce(s.spots, 0) as spots,
         coalesce(w.windows, 0) as windows,
         coalesce(g.claims, 0) as claims_given,
         coalesce(g.hours, 0) as given_hours,
         coalesce(t.claims, 0) as claims_taken,
         coalesce(t.hours, 0) as taken_hours,
         coalesce(t.cancelled, 0) as claims_cancelled
    from parking.profiles p
    left join (
      select o.owner_id, count(*) as spots
        from parking.spots o
       group by o.owner_id
    ) s on s.owner_id = p.id
    left join (
      select a.owner_id, count(*) as windows
        from parking.availabilities a
       where not private.is_put_away(a.start_time, a.end_time)
       group by a.owner_id
    ) w on w.owner_id = p.id
    left join (
      select c.owner_id,
             count(*) as claims,
             round(sum(extract(epoch from c.end_time - c.start_time)) / 3600, 3) as hours
        from parking.claims c
       where c.status <> 'cancelled'
       group by c.owner_id
    ) g on g.owner_id = p.id
    left join (
      select c.claimer_id,
             count(*) filter (where c.status <> 'cancelled') as claims,
             round(sum(extract(epoch from c.end_time - c.start_time)) filter (where c.status <> 'cancelled') / 3600, 3) as hours,
             count(*) filter (where c.status = 'cancelled') as cancelled
        from parking.claims c
       group by c.claimer_id
    ) t on t.claimer_id = p.id;

comment on view reporting.people is
  'One row for each account: what it gave to others and took from them, in the past and to come.';
comment on column reporting.people.profile_id is
  'The account; a key to count by, not a name.';
comment on column reporting.people.is_approved is
  'Whether it is approved now.';
comment on column reporting.people.spots is
  'How many spots it owns.';
comment on column reporting.people.windows is
  'How many windows of them it has published.';
comment on column reporting.people.claims_given is
  'Active and completed claims of others on its spots.';
comment on column reporting.people.given_hours is
  'How long they are.';
comment on column reporting.people.claims_taken is
  'Its own active and completed claims.';
comment on column reporting.people.taken_hours is
  'How long they are.';
comment on column reporting.people.claims_cancelled is
  'Its own cancelled claims.';
grant select on reporting.people to parking_reporter;
--! EndIncluded reports/views/people.sql
--! Included reports/views/spot_utilisation.sql
/* Offered and claimed hours of each spot, day by day. */
create or replace view reporting.spot_utilisation as
  with days as (
    -- Without a time zone: the series must not depend on the one of the session.
    select b.time_zone,
           generate_series(
             date_trunc('day', (select min(start_time) from parking.availabilities) at time zone b.time_zone),
             least(
               (select max(end_time) from parking.availabilities),
               private.reported_until()
             ) at time zone b.time_zone - interval '1 microsecond',
             interval '1 day'
           ) as day
      from parking.building b
  ),
  spans as (
    select d.day::date as day,
           tstzrange(
             d.day at time zone d.time_zone,
             (d.day + interval '1 day') at time zone d.time_zone
           ) as span
      from days d
  ),
  offered as (
    select s.day, a.spot_id, a.during * s.span as time, c.held * s.span as taken
      from spans s
      join parking.availabilities a on a.during && s.span
      left join parking.claims c on c.availability_id = a.id and c.held && s.span
     where not private.is_put_away(a.start_time, a.end_time)
  ),
  -- In seconds: of a day with less than two, the hours to a thousandth are none, and not to be divided by.
  used as (
    select o.day,
           o.spot_id,
           sum(extract(epoch from upper(o.time) - lower(o.time))) as offered,
           coalesce(sum(extract(epoch from upper(o.taken) - lower(o.taken))), 0) as claimed
      from offered o
     group by o.day, o.spot_id
  )
  select u.day,
         p.id as spot_id,
         p.spot_number,
         p.building_section,
         p.is_verified,
         round(u.offered / 3600, 3) as offered_hours,
         round(u.claimed / 3600, 3) as claimed_hours,
         round(u.claimed / u.offered, 4) as utilisation
    from used u
    join parking.spots p on p.id = u.spot_id;

comment on view reporting.spot_utilisation is
  'One row for each spot and each day (of the building''s time zone) on which it was offered, up to a year from today.';
comment on column reporting.spot_utilisation.day is
  'The day, from midnight to midnight in the time zone of the building.';
comment on column reporting.spot_utilisation.spot_id is
  'The spot.';
comment on column reporting.spot_utilisation.spot_number is
  'The number on the ground.';
comment on column reporting.spot_utilisation.building_section is
  'Section or location of the spot.';
comment on column reporting.spot_utilisation.is_verified is
  'Whether an administrator has verified the spot.';
comment on column reporting.spot_utilisation.offered_hours is
  'Hours of that day in which the spot was published as available.';
comment on column reporting.spot_utilisation.claimed_hours is
  'Hours of them that active or completed claims took.';
comment on column reporting.spot_utilisation.utilisation is
  'claimed_hours / offered_hours, 0 to 1.';
grant select on reporting.spot_utilisation to parking_reporter;
--! EndIncluded reports/views/spot_utilisation.sql
--! Included reports/views/spots.sql
/* Every spot, with when it was offered last. */
create or replace view reporting.spots as
  select s.id,
         s.spot_number,
         s.building_section,
         s.owner_id,
         s.is_verified,
         s.created_at,
         w.windows,
         w.claimed_windows,
         w.first_start_time,
         w.last_end_time
    from parking.spots s
   cross join lateral (
     select count(*) as windows,
            count(*) filter (where a.is_claimed) as claimed_windows,
            min(a.start_time) as first_start_time,
            max(a.end_time) as last_end_time
       from parking.availabilities a
      where a.spot_id = s.id
        and not private.is_put_away(a.start_time, a.end_time)
   ) w;

comment on view reporting.spots is
  'One row for each spot, also for those that were never offered.';
comment on column reporting.spots.id is
  'The spot.';
comment on column reporting.spots.spot_number is
  'The number on the ground.';
comment on column reporting.spots.building_section is
  'Section or location of the spot.';
comment on column reporting.spots.owner_id is
  'The owner; a key to count by, not a name.';
comment on column reporting.spots.is_verified is
  'Whether an administrator has verified the spot.';
comment on column reporting.spots.created_at is
  'When it was registered.';
comment on column reporting.spots.windows is
  'How many windows it has, past and to come.';
comment on column reporting.spots.claimed_windows is
  'How many of them active or completed claims hold.';
comment on column reporting.spots.first_start_time is
  'When its first window starts; null if it was never offered.';
comment on column reporting.spots.last_end_time is
  'When its last window ends; null if it was never offered.';
grant select on reporting.spots to parking_reporter;
--! EndIncluded reports/views/spots.sql
--! Included invitations/register_invited_spots.sql
create or replace function private.register_invited_spots(spots jsonb, owner_id uuid)
  returns jsonb
  language plpgsql
  volatile
  security invoker -- for private.accept_invitation: no grant to the API role
  set search_path = ''
as $$
declare
  v_spot jsonb;
  v_id uuid;
  v_rule text;
  v_registered jsonb := '[]';
begin
  for v_spot in select s.value from jsonb_array_elements(register_invited_spots.spots) s loop
    begin
      -- The person may have registered it already.
      select s.id into v_id
        from parking.spots s
       where s.owner_id = register_invited_spots.owner_id
         and private.number_key(s.spot_number) = private.number_key(v_spot ->> 'spot_number');

      if not found then
        insert into parking.spots (owner_id, spot_number, building_section)
        values (
          register_invited_spots.owner_id, v_spot ->> 'spot_number', v_spot ->> 'building_section'
        )
        returning id into v_id;
      end if;

      -- As the administrator knows it. Before: a change of the section ends a verification.
      update parking.spots s
         set building_section = v_spot ->> 'building_section'
       where s.id = v_id
         and s.building_section <> v_spot ->> 'building_section';
      update parking.spots s
         set is_verified = true
       where s.id = v_id
         and not s.is_verified;
      v_registered := v_registered || (v_spot || jsonb_build_object('spot_id', v_id));
    exception
      when integrity_constraint_violation or insufficient_privilege then
        get stacked diagnostics v_rule = constraint_name;
        v_registered := v_registered || (v_spot || jsonb_build_object('refused_by', v_rule));
    end;
  end loop;
  return v_registered;
end;
$$;

comment on function private.register_invited_spots is
  'Registers and verifies the spots of an invitation for their owner. Returns them, each with its spot_id or the rule that refused it.';
--! EndIncluded invitations/register_invited_spots.sql
--! Included mail_key/unsubscribe.sql
create or replace function private.unsubscribe(key text)
  returns boolean
  language plpgsql
  volatile
  security definer -- who has the mail proves it by the key, and is no caller
  set search_path = ''
as $$
declare
  v_id uuid;
begin
  if unsubscribe.key !~ '^[A-Za-z0-9_-]{43}$' then
    return false;
  end if;

  v_id := encode(
    substring(decode(translate(unsubscribe.key, '-_', '+/') || '=', 'base64') for 16), 'hex'
  )::uuid;

  if private.unsubscribe_key(v_id) is distinct from unsubscribe.key then
    return false;
  end if;

  -- Mail programs may send it again and again: only the first writes, or waits for the row.
  insert into parking.preferences as f (person_id, mail)
  select p.id, '{}'
    from parking.profiles p
   where p.id = v_id
     and not exists (
       select
         from parking.preferences e
        where e.person_id = p.id
          and e.mail = '{}'
     )
  on conflict on constraint preferences_pkey do update
    set mail = '{}';
  return true;
end;
$$;

comment on function private.unsubscribe is
  'Ends the mails of the person whom this key was made for; false where it is none.';
grant execute on function private.unsubscribe to parking_api;
--! EndIncluded mail_key/unsubscribe.sql
