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
