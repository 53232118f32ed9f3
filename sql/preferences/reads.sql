create or replace function api.get_preferences()
  returns setof parking.preferences
  language sql
  stable
  rows 1
as $$
  -- Every registered person has some: at least those of the building.
  select own.id, p.mail, p.language, p.remind_minutes, p.push
    from parking.profiles own
    left join parking.preferences p on p.person_id = own.id
   where own.id = (select private.caller_id())
$$;

comment on function api.get_preferences is
  'What you want by mail, and at once on your devices; null: as the building has it. Also before approval';
grant execute on function api.get_preferences to parking_api;
