/*
 * People write names into free texts: reasons and the descriptions of spots. There they are replaced.
 * Messages of notifications are texts of the service, and made anew.
 */
create or replace function private.erase_from_texts(id uuid, names text)
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
  v_notifications uuid[];
begin
  -- All residents read them, and each later event of the spot would repeat them. A number that was a
  -- name stays different from all others.
  update parking.spots s
     set spot_number = case
           when s.spot_number ~* erase_from_texts.names then 'erased ' || right(s.id::text, 12)
           else s.spot_number
         end,
         building_section = case
           when s.building_section = any (v_sections) then s.building_section
           else rtrim(left(regexp_replace(s.building_section, erase_from_texts.names, 'erased', 'gi'), 100))
         end
   where s.owner_id = erase_from_texts.id
     and (
       s.spot_number ~* erase_from_texts.names
       or s.building_section ~* erase_from_texts.names and s.building_section <> all (v_sections)
     );

  delete from parking.notifications n
   where n.recipient_id = erase_from_texts.id;

  -- Those whose message has a reason or the number of a spot that changes below.
  v_notifications := array(
    select n.id
      from private.events e
      join parking.notifications n
        on n.kind = e.type
       and e.subject_id in (n.claim_id, n.availability_id, n.spot_id, n.recipient_id)
     where e.reason ~* erase_from_texts.names
    union
    select n.id
      from private.events e
      join parking.notifications n on n.spot_id = e.subject_id
     where e.type like 'spot.%'
       and e.data ->> 'owner_id' = erase_from_texts.id::text
       and e.data ->> 'spot_number' ~* erase_from_texts.names
  );

  perform set_config('parking.erasing', 'on', true); -- the exception of events_are_only_added

  update private.events e
     set data = e.data || jsonb_build_object(
           'spot_number', regexp_replace(e.data ->> 'spot_number', erase_from_texts.names, 'erased', 'gi'),
           'building_section', case
             when e.data ->> 'building_section' = any (v_sections) then e.data ->> 'building_section'
             else regexp_replace(e.data ->> 'building_section', erase_from_texts.names, 'erased', 'gi')
           end
         )
   where e.type like 'spot.%'
     and e.data ->> 'owner_id' = erase_from_texts.id::text;

  update private.events e
     set reason = rtrim(left(regexp_replace(e.reason, erase_from_texts.names, 'erased', 'gi'), 300))
   where e.reason ~* erase_from_texts.names;

  perform set_config('parking.erasing', 'off', true);

  perform private.renew_messages(v_notifications);
end;
$$;

comment on function private.erase_from_texts is
  'Erases what the pattern of names matches from reasons, from the descriptions of this person''s spots, and from the messages that repeat these.';
