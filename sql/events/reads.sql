create or replace function private.current_position()
  returns bigint
  language sql
  stable
  security definer -- the API role has no access to the log; a number says nothing of what is in it
  set search_path = ''
return (
  select l.position
    from private.last_position l
   where (select private.is_approved())
      or (select private.has_scope('events'))
);

comment on function private.current_position is
  'The position of the last event; null, where the caller is neither approved nor a key for events.';
grant execute on function private.current_position to parking_api;

/*
 * The row as the interface has a Profile, Spot, Availability or Claim: without columns copied from other rows,
 * without optional columns that are null, and without a stranger's plate. Data in that form stays as it is.
 */
create or replace function private.event_data(type text, subject jsonb)
  returns jsonb
  language sql
  stable
return (
  subject - case split_part(event_data.type, '.', 1)
    when 'profile' then
      case when subject ->> 'rejection_reason' is null then array['rejection_reason'] else '{}' end
    when 'report' then array['vehicle', 'note']
    when 'key' then array['secret_hash', 'last_used_at']
    when 'availability' then
      array['owner_id', 'during', 'source_id', 'offered', 'free_since', 'is_hidden']
        || case when jsonb_typeof(subject -> 'free') = 'array' then '{}' else array['free'] end
    when 'pattern' then array['owner_id', 'time_zone', 'withdrawn']
    when 'claim' then
      array['spot_id', 'owner_id', 'held', 'holds', 'takes', 'cancelled_by']
        || case when subject ->> 'series_id' is null then array['series_id'] else '{}' end
        || case when subject ->> 'made_by' is null then array['made_by'] else '{}' end
    when 'spot' then
      array['retired_at'] || case when subject ->> 'notes' is null then array['notes'] else '{}' end
    else '{}'
  end - case
    when subject ->> 'pattern_id' is not null then '{}'
    when coalesce(subject ->> 'guest', subject ->> 'vehicle') is null
      then array['pattern_id', 'guest', 'vehicle']
    when subject ->> 'guest' is null then array['guest']
    when subject ->> 'vehicle' is null then array['vehicle']
    else '{}'
  end
) || coalesce(
  (
    select jsonb_object_agg(t.name, private.iso8601((subject ->> t.name)::timestamptz))
      from unnest(array['start_time', 'end_time', 'created_at', 'updated_at', 'expires_at']) t (name)
     where subject ? t.name
  ),
  '{}'
);

comment on function private.event_data is
  'A row as the event log keeps it: as clients see it.';

create or replace function api.get_events()
  returns table ("position" bigint)
  language sql
  stable
  rows 1
as $$
  select private.current_position()
$$;

comment on function api.get_events is
  'What happens from now on, as server-sent events';
grant execute on function api.get_events to parking_api;

/* Spots do not change hands, and of one that was deleted the log knows whose it was. */
create or replace function private.owner_of_spot(id uuid)
  returns uuid
  language sql
  stable
  security invoker -- for private.views_of_event: no grant to the API role
  set search_path = ''
return coalesce(
  (
    select s.owner_id
      from parking.spots s
     where s.id = owner_of_spot.id
  ),
  (
    select (e.data ->> 'owner_id')::uuid
      from private.events e
     where e.subject_id = owner_of_spot.id
       and e.type = 'spot.deleted'
     limit 1
  )
);

comment on function private.owner_of_spot is
  'Who owns the spot, or owned it when it was deleted.';

/*
 * Events of claims do not say whose spot it is. Where the window is gone, the log leads to the spot. A function of its
 * own, because private.views_of_event would prepare these reads for each event of any kind.
 */
create or replace function private.owner_of_window(id uuid)
  returns uuid
  language sql
  stable
  set search_path = ''
return coalesce(
  (
    select a.owner_id
      from parking.availabilities a
     where a.id = owner_of_window.id
  ),
  (
    select private.owner_of_spot((e.data ->> 'spot_id')::uuid)
      from private.events e
     where e.subject_id = owner_of_window.id
       and e.type like 'availability.%'
     limit 1
  )
);

comment on function private.owner_of_window is
  'Who owns, or owned, the spot of a window.';
