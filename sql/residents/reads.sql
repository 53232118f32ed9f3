/* A concierge finds whom a visitor means. They see no profiles: an answer has no more than the name at the door. */
create or replace function private.residents_named(search text)
  returns table (id uuid, full_name text, apartment_number text)
  language plpgsql
  stable
  security definer -- reads past the policies; private.require_staff refuses all who may not ask
  set search_path = ''
as $$
begin
  perform private.require_staff();

  return query
    select p.id, p.full_name, p.apartment_number
      from parking.profiles p
     where p.is_approved
       and (
         strpos(private.number_key(p.full_name), private.number_key(residents_named.search)) > 0
         or strpos(private.number_key(p.apartment_number), private.number_key(residents_named.search)) > 0
       )
     order by private.number_key(p.apartment_number) = private.number_key(residents_named.search) desc,
              p.apartment_number, p.full_name, p.id
     limit 20;
end;
$$;

comment on function private.residents_named is
  'The approved residents whose name or apartment has this text, for api.find_residents.';
grant execute on function private.residents_named to parking_api;

create or replace function api.find_residents(search text)
  returns table (id uuid, full_name text, apartment_number text)
  language sql
  stable
as $$
  select r.*
    from private.residents_named(find_residents.search) r
$$;

comment on function api.find_residents is
  'The residents whose name or apartment has a text, twenty at most: for whom an administrator or concierge can claim';
grant execute on function api.find_residents to parking_api;
