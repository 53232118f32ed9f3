/* Events of claims do not say whose spot it is. Where the window is gone, the log leads to the spot. */
create or replace function private.owner_of_window(id uuid)
  returns uuid
  language sql
  stable
  security invoker -- for private.views_of_event: no grant to the API role
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
