/*
 * The contents are read when the mail or the push is sent. So it does not tell of what was cancelled, read or
 * erased since, nor of a turn that is over.
 */
create or replace function private.message_items(
    about jsonb,
    recipient_id uuid,
    is_admin boolean,
    out items jsonb,
    out people jsonb
)
  language plpgsql
  stable
  security invoker -- for functions that may: no grant to the API role
  set search_path = ''
as $$
declare
  v_kind constant text := about ->> 'kind';
begin
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
       where c.id = (message_items.about ->> 'claim_id')::uuid
         and c.claimer_id = message_items.recipient_id
         and c.status = 'active'
         and (message_items.about ->> 'at')::timestamptz > clock_timestamp()
         and (message_items.about ->> 'at')::timestamptz
               = case v_kind when 'claim.starts' then c.start_time else c.end_time end;
    when v_kind = 'profiles.waiting' then
      select jsonb_agg(
               jsonb_build_object('name', w.full_name, 'apartment', w.apartment_number)
               order by w.created_at
             )
        into people
        from private.waiting_people w
       where message_items.is_admin;
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
       where n.id in (select i.id::uuid from jsonb_array_elements_text(message_items.about -> 'notifications') i (id))
         and n.recipient_id = message_items.recipient_id
         and n.resolved_at is null
         and not n.is_read
         and coalesce((n.data ->> 'offered_until')::timestamptz > clock_timestamp(), true);
  end case;
end;
$$;

comment on function private.message_items is
  'What the message of a job says to a person, and names below it; null where there is nothing to be said any more.';

/* A person who was suspended or wants no mail any more gets none. */
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

  if v_kind like 'address.%' then
    return query
    select case v_about ->> 'side'
             when 'old' then c.old_address
             when 'new' then c.new_address
             else (select u.email from private.users u where u.id = c.given_by)
           end,
           coalesce(f.language, b.language),
           b.name,
           b.time_zone,
           jsonb_build_array(
             jsonb_build_object(
               'message', '',
               'change', jsonb_build_object(
                 'side', v_about ->> 'side',
                 'old_address', c.old_address,
                 'new_address', c.new_address,
                 'starts_at', private.iso8601(c.starts_at),
                 'reason', c.reason
               )
             )
           ),
           '[]'::jsonb,
           null::text
      from private.address_changes c
     cross join parking.building b
      left join parking.preferences f
        on f.person_id = case v_about ->> 'side' when 'giver' then c.given_by else c.account_id end
     where c.id = (v_about ->> 'change_id')::uuid;
    return;
  end if;

  select r.* into v_recipient
    from private.recipients r
   where r.id = (v_about ->> 'recipient_id')::uuid
     and r.channel = 'mail'
     and v_kind = any (r.kinds);

  if not found then
    return;
  end if;

  select m.items, m.people
    into get_mail.items, get_mail.people
    from private.message_items(v_about, v_recipient.id, v_recipient.is_admin) m;

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
