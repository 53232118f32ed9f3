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
