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
