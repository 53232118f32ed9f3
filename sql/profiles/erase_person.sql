/*
 * A person who leaves has a right to leave no trace: name, address and phone number go from everywhere,
 * also from the event log. Rows stay, so that counts and reports stay true.
 */
create or replace function private.erase_person(id uuid)
  returns void
  language plpgsql
  volatile
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
as $$
declare
  v_names constant text := private.pattern_of_names(erase_person.id);
  v_profile parking.profiles;
begin
  -- The user, then the profile, as PUT /profile locks them. Claims of the person's windows wait here.
  perform from private.users u where u.id = erase_person.id for update;
  perform from parking.profiles p where p.id = erase_person.id for update;

  update parking.claims c
     set status = 'cancelled'
   where c.status = 'active'
     and erase_person.id in (c.claimer_id, c.owner_id);

  -- Windows with closed claims stay with these. Without an approved owner nobody can claim them.
  delete from parking.availabilities a
   where a.owner_id = erase_person.id
     and not exists (select from parking.claims c where c.availability_id = a.id);

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
         is_approved = false,
         is_admin = false
   where p.id = erase_person.id
  returning * into v_profile;

  if not found then
    raise exception using
      errcode = 'no_data_found',
      message = format('Nobody has registered with the id %s', erase_person.id);
  end if;

  -- All residents read them, and each later event of the spot would repeat them. A number that was a
  -- name stays different from all others.
  update parking.spots s
     set spot_number = case
           when s.spot_number ~* v_names then 'erased ' || right(s.id::text, 12)
           else s.spot_number
         end,
         building_section =
           rtrim(left(regexp_replace(s.building_section, v_names, 'erased', 'gi'), 100))
   where s.owner_id = erase_person.id
     and (s.spot_number ~* v_names or s.building_section ~* v_names);

  delete from parking.notifications n
   where n.recipient_id = erase_person.id;

  update parking.notifications n
     set message = regexp_replace(n.message, v_names, 'erased', 'gi')
   where n.message ~* v_names;

  delete from private.idempotency_keys k
   where k.person_id = erase_person.id;

  insert into private.events (type, subject_id, data)
  values ('profile.erased', v_profile.id, private.profile_json(v_profile));

  perform set_config('parking.erasing', 'on', true); -- the exception of events_are_only_added

  update private.events e
     set data = e.data || jsonb_build_object(
           'email', v_profile.email,
           'full_name', null,
           'apartment_number', 'erased',
           'phone_number', null
         )
   where e.subject_id = erase_person.id
     and e.type like 'profile.%';

  update private.events e
     set data = e.data || jsonb_build_object(
           'spot_number', regexp_replace(e.data ->> 'spot_number', v_names, 'erased', 'gi'),
           'building_section', regexp_replace(e.data ->> 'building_section', v_names, 'erased', 'gi')
         )
   where e.type like 'spot.%'
     and e.data ->> 'owner_id' = erase_person.id::text;

  update private.events e
     set reason = rtrim(left(regexp_replace(e.reason, v_names, 'erased', 'gi'), 300))
   where e.reason ~* v_names;

  perform set_config('parking.erasing', 'off', true);
end;
$$;

comment on function private.erase_person is
  'Erases the personal data of the person with this id: from the profile, the sign-in data, their spots, the event log, the notifications and the answers kept under idempotency keys. Cancels their claims and those on their spots, and deletes their free windows. For the owner of the database (npm run erase).';
