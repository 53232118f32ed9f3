/*
 * A person who leaves has a right to leave no trace. What they are, what they wrote, and what relates to them
 * goes; nobody searches texts of others (private.mentions lists those). Rows stay, so that counts and reports
 * stay true. The log is long, so it is read by the ids of its subjects.
 */
create or replace function private.erase_person(id uuid)
  returns void
  language plpgsql
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  v_profile parking.profiles;
  v_began constant timestamptz(3) := now();
  v_reason constant text := private.reason();
  v_spots uuid[];
  v_made uuid[];
  v_received uuid[];
  v_plates text[];
begin
  perform private.lock_person(erase_person.id);
  perform private.end_of_person(erase_person.id);

  v_spots := array(
    select s.id from parking.spots s where s.owner_id = erase_person.id
    union
    select private.deleted_of(erase_person.id, 'spot.deleted')
  );
  v_made := array(
    select c.id from parking.claims c where c.claimer_id = erase_person.id
    union
    select private.deleted_of(erase_person.id, 'claim.deleted')
  );
  v_received := array(
    select c.id from parking.claims c where c.owner_id = erase_person.id
  );
  v_plates := array(
    select private.plate(p.vehicle) from parking.profiles p where p.id = erase_person.id
    union
    select private.plate(c.vehicle)
      from parking.claims c
     where c.id = any (v_made)
       and c.vehicle is not null
       and c.guest is null
    union
    select private.plate(e.data ->> 'vehicle')
      from private.events e
     where e.subject_id = erase_person.id
       and e.type like 'profile.%'
       and e.data ->> 'vehicle' is not null
  );

  -- Invitations that the person accepted or could still accept. Not by an address that the provider has not
  -- confirmed: somebody else may be invited by it.
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
         token_issued_at = null,
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
         is_admin = false,
         is_concierge = false
   where p.id = erase_person.id
  returning * into v_profile;

  if not found then
    raise exception using
      errcode = 'no_data_found',
      message = format('Nobody has registered with the id %s', erase_person.id);
  end if;

  -- Also what the staff was answered about the person.
  delete from private.idempotency_keys k
   where k.person_id = erase_person.id
      or strpos(k.body, erase_person.id::text) > 0;

  -- With all that lets the person sign in by mail. Whoever has the mailbox may register anew.
  delete from identity.accounts a
   where a.id = erase_person.id;

  delete from parking.preferences p
   where p.person_id = erase_person.id;

  delete from parking.calendar_feeds f
   where f.person_id = erase_person.id;

  delete from parking.push_subscriptions s
   where s.person_id = erase_person.id;

  delete from parking.favorite_spots f
   where f.person_id = erase_person.id;

  -- The person may have typed a name there. The name of an existing section stays.
  update parking.wishes w
     set building_section = null
   where w.wisher_id = erase_person.id
     and w.building_section not in (
       select s.building_section from parking.spots s where s.owner_id <> erase_person.id
     );

  delete from parking.notifications n
   where n.recipient_id = erase_person.id
      or n.spot_id = any (v_spots) and n.kind = 'wish.fits'; -- it has the number of the spot

  -- Reports by the person, and reports of the person's own car. Notifications about a report have the plate
  -- too; they were written in the transaction of the report.
  with reported as (
    delete from parking.spot_reports r
     where r.reporter_id = erase_person.id
    returning r.spot_id, r.created_at
  ),
  seen as (
    update parking.spot_reports r
       set vehicle = null
     where r.reporter_id <> erase_person.id
       and private.plate(r.vehicle) = any (v_plates)
    returning r.spot_id, r.created_at
  )
  update parking.notifications n
     set data = n.data - 'vehicle'
    from (table reported union all table seen) r
   where n.spot_id = r.spot_id
     and n.created_at = r.created_at
     and n.kind = 'report.submitted'
     and (n.data is null or n.data ?| '{reason, vehicle}');

  delete from parking.passages p
   where p.vehicle = any (v_plates);

  -- The reasons why something of theirs was cancelled or removed before, but not the reason of this erasure.
  update parking.notifications n
     set data = n.data - 'reason',
         message = split_part(n.message, '. Reason: ', 1)
   where (n.spot_id = any (v_spots) or n.claim_id = any (v_made))
     and (n.data is null or n.data ?| '{reason, vehicle}')
     and (n.created_at >= v_began and n.data ->> 'reason' = v_reason) is not true;

  -- Notifications to the owners of the spots name who claimed.
  update parking.notifications n
     set data = n.data - 'claimer_name'
   where n.claim_id = any (v_made)
     and n.data ? 'claimer_name';

  -- Notifications about what the person did for others.
  update parking.notifications n
     set data = n.data - 'actor_name'
   where n.claim_id = any (array(
           select c.id from parking.claims c where c.made_by = erase_person.id
           union
           select e.subject_id
             from private.events e
            where e.actor_id = erase_person.id
              and e.reason is not null -- for the index
              and e.type = 'claim.submitted'
         ))
     and n.data ? 'actor_name';

  perform set_config('parking.erasing', 'on', true); -- the exception of claims_closed_stay_closed, and of events_are_only_added
  update parking.claims c
     set guest = null,
         vehicle = null
   where c.claimer_id = erase_person.id
     and num_nonnulls(c.guest, c.vehicle) > 0;

  -- No event gets its position from here to the commit. Last, when no row has to be waited for any more.
  perform private.lock_events();

  insert into private.new_events (type, subject_id, data)
  values ('profile.erased', v_profile.id, to_jsonb(v_profile));

  update private.events e
     set data = e.data - '{vehicle, rejection_reason}'::text[] || jsonb_build_object(
           'email', v_profile.email,
           'full_name', null,
           'apartment_number', 'erased',
           'phone_number', null
         )
   where e.subject_id = erase_person.id
     and e.type like 'profile.%';

  update private.events e
     set data = e.data - 'notes'
   where e.subject_id = any (v_spots)
     and e.type like 'spot.%'
     and e.data ? 'notes';

  update private.events e
     set data = e.data - '{guest, vehicle}'::text[]
   where e.subject_id = any (v_made)
     and e.type like 'claim.%'
     and e.data ?| '{guest, vehicle}';

  -- private.event_data drops what a report says of a car when its event gets a position.
  update private.new_events e
     set data = e.data - '{vehicle, note}'::text[]
   where e.type like 'report.%'
     and e.data ->> 'reporter_id' = erase_person.id::text;

  update private.events e
     set reason = null
   where e.reason is not null
     and (
       e.subject_id in (
         select s.id from unnest(erase_person.id || v_spots || v_made || v_received) s (id)
       )
       or (e.data ->> 'spot_id')::uuid in (select s.id from unnest(v_spots) s (id)) -- the window itself may be deleted
     )
     and (e.occurred_at >= v_began and e.reason = v_reason) is not true;

  perform set_config('parking.erasing', 'off', true);

  perform private.add_job('statistics', gen_random_uuid()::text);
end;
$$;

comment on function private.erase_person is
  'Erases the personal data of the person with this id: from the profile, the sign-in data, the account of the sign-in by mail, their spots, what they wrote about these, the guests and vehicles of their claims, the event log, the notifications, what the gate saw of their vehicles, the invitations and the answers kept under idempotency keys, and the reasons that others gave for what was done to what is theirs. Cancels their claims that have not ended and those on their spots, and removes their spots. For the owner of the database (npm run erase).';

/* The log alone knows what was deleted, and an index of it, whose it was. */
create or replace function private.deleted_of(id uuid, type text)
  returns setof uuid
  language sql
  stable
  security invoker -- for private.erase_person: no grant to the API role
  set search_path = ''
begin atomic
  select e.subject_id
    from private.events e
   where e.type = deleted_of.type
     and e.type in ('spot.deleted', 'claim.deleted') -- for the index
     and coalesce(e.data ->> 'claimer_id', e.data ->> 'owner_id')::uuid = deleted_of.id;
end;

comment on function private.deleted_of is
  'The spots, or the claims, of the person with this id that were deleted, by this type of event.';

/* An erasure ends the running and future claims and plans of a person. It tells only the people concerned. */
create or replace function private.end_of_person(id uuid)
  returns void
  language plpgsql
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  v_now timestamptz;
begin
  perform
     from parking.spots s
    where s.owner_id = end_of_person.id
       or s.id in (
         select c.spot_id
           from parking.claims c
          where c.claimer_id = end_of_person.id
            and c.status = 'active'
       )
    order by s.id
      for no key update;
  v_now := date_trunc('milliseconds', clock_timestamp());

  delete from parking.exceptions e
   where e.owner_id = end_of_person.id;

  update parking.claims c
     set status = 'completed'
   where c.status = 'active'
     and c.end_time <= v_now
     and end_of_person.id in (c.claimer_id, c.owner_id);

  update parking.claims c
     set status = 'cancelled'
   where c.status = 'active'
     and end_of_person.id in (c.claimer_id, c.owner_id);

  delete from parking.wishes w
   where w.wisher_id = end_of_person.id
     and w.claim_id is null
     and w.start_time > v_now;

  -- Their future goes with them. Spots with a past are retired instead (private.retire_spot).
  delete from parking.spots s
   where s.owner_id = end_of_person.id
     and s.retired_at is null;
end;
$$;

comment on function private.end_of_person is
  'Cancels the claims of the person with this id that have not ended, and those on their spots; completes what has ended; removes their spots, open wishes and exceptions.';
