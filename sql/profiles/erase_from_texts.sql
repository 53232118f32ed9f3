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
