create or replace function private.names_of(id uuid)
  returns text[]
  language sql
  stable
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
return array(
  select distinct n.value
    from (
      select p.id as subject_id, to_jsonb(p) as data from parking.profiles p
      union all
      select e.subject_id, e.data from private.events e where e.type like 'profile.%'
    ) known
   cross join lateral (values (known.data ->> 'full_name'), (known.data ->> 'email')) n (value)
   where known.subject_id = names_of.id
     and n.value <> ''
     and n.value <> names_of.id || '@erased.invalid' -- by private.erase_person
);

comment on function private.names_of is
  'The whole names and the addresses that a person has or had.';
