/* People write names into free texts: reasons and the descriptions of spots. */
create or replace function private.names_of(id uuid)
  returns text[]
  language sql
  stable
  set search_path = ''
begin atomic
  with known as (
    select p.full_name, p.email, p.phone_number, p.vehicle
      from parking.profiles p
     where p.id = names_of.id
    union all
    select e.data ->> 'full_name', e.data ->> 'email', e.data ->> 'phone_number', e.data ->> 'vehicle'
      from private.events e
     where e.subject_id = names_of.id
       and e.type like 'profile.%'
    union all
    select i.full_name, i.email, null as phone_number, null as vehicle
      from parking.invitations i
     where i.profile_id = names_of.id
  )
  select array_agg(distinct n.name)
    from known k
   cross join lateral (
     values (k.full_name), (k.email), (k.phone_number), (k.vehicle), (private.plate(k.vehicle))
     union all
     -- Also first and last name alone; not the "van" and "der" in between.
     select part.name
       from regexp_split_to_table(k.full_name, '\W+') as part (name)
      where part.name !~ '^[[:lower:]]'
         or k.full_name = lower(k.full_name)
   ) n (name)
   -- A shorter one would match too many other words.
   where char_length(n.name) >= case when private.is_of_script_without_spaces(n.name) then 2 else 3 end;
end;

comment on function private.names_of is
  'The names, in whole and in part, and the addresses, phone numbers and plates that a person has or had.';
