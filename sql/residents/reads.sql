/* An answer has no more than the name at the door. */
create or replace function api.find_residents(search text)
  returns table (id uuid, full_name text, apartment_number text)
  language plpgsql
  stable
  security definer -- a concierge reads no profiles of others; private.require_staff refuses who may not ask
  set search_path = ''
as $$
declare
  v_search constant text := private.number_key(find_residents.search);
begin
  perform private.require_staff();

  return query
    select p.id, p.full_name, p.apartment_number
      from parking.profiles p
     where p.is_approved
       and (
         strpos(private.number_key(p.full_name), v_search) > 0
         or strpos(private.number_key(p.apartment_number), v_search) > 0
       )
     order by private.number_key(p.apartment_number) = v_search desc,
              p.apartment_number, p.full_name, p.id
     limit 20;
end;
$$;

comment on function api.find_residents is
  'The residents whose name or apartment has a text, twenty at most: for whom an administrator or concierge can claim';
grant execute on function api.find_residents to parking_api;
