/*
 * Help for tests of the building's rules (sql/house/<rule>.sql, <rule>.test.sql): people, spots and
 * windows to begin with, and a way to act as a person through the API role.
 */
create schema house_test;
grant usage on schema house_test to parking_api;

create function house_test.resident(is_approved boolean default true)
  returns uuid
  language plpgsql
  security definer -- so that a test may call it while it acts as somebody
  set search_path = ''
as $$
declare
  v_id constant uuid := gen_random_uuid();
begin
  insert into private.users (id, email) values (v_id, v_id || '@house.example');
  insert into parking.profiles (id, email, apartment_number, is_approved)
  values (v_id, v_id || '@house.example', '1A', resident.is_approved);
  return v_id;
end;
$$;
comment on function house_test.resident is 'The id of a new resident, approved unless you say otherwise.';

create function house_test.spot_of(owner uuid, building_section text default 'North')
  returns uuid
  language sql
  security definer
  set search_path = ''
as $$
  insert into parking.spots (owner_id, spot_number, building_section)
  values (spot_of.owner, left(gen_random_uuid()::text, 8), spot_of.building_section)
  returning id;
$$;
comment on function house_test.spot_of is 'The id of a new spot of this owner.';

create function house_test.window_of(spot uuid, from_hour integer default 1, to_hour integer default 5)
  returns uuid
  language sql
  security definer
  set search_path = ''
as $$
  insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
  select s.id, s.owner_id,
         date_trunc('hour', now()) + make_interval(hours => 1 + window_of.from_hour),
         date_trunc('hour', now()) + make_interval(hours => 1 + window_of.to_hour)
    from parking.spots s
   where s.id = window_of.spot
  returning id;
$$;
comment on function house_test.window_of is 'The id of a new window of this spot, from and to so many hours after the next full hour.';

create function house_test.act_as(person uuid)
  returns void
  language sql
as $$
  select set_config('role', 'parking_api', true),
         set_config('request.jwt.claims', jsonb_build_object('sub', act_as.person)::text, true);
$$;
comment on function house_test.act_as is 'From now on the statements of the test are those of this person, made by the API role.';

create function house_test.claim(window_id uuid)
  returns uuid
  language sql
as $$
  select (api.create_claim(a.id, a.start_time, a.end_time)).id
    from parking.availabilities a
   where a.id = claim.window_id;
$$;
comment on function house_test.claim is 'Claims the whole window for the person that the test acts as.';

create function house_test.refused_by(rule text, statement text)
  returns boolean
  language plpgsql
as $$
declare
  v_constraint text;
  v_message text;
begin
  execute refused_by.statement;
  return false;
exception when others then
  get stacked diagnostics v_constraint = constraint_name, v_message = message_text;
  if v_constraint = refused_by.rule or v_message like '%policy "' || refused_by.rule || '"%' then
    return true;
  end if;
  raise;
end;
$$;
comment on function house_test.refused_by is 'Whether this rule refuses the statement. Another failure fails the test.';
