create or replace function api.update_preferences(
    mail text[] default null,
    language text default null,
    remind_minutes integer default null,
    push text[] default null
)
  returns parking.preferences
  language plpgsql
  set search_path = ''
as $$
declare
  v_preferences parking.preferences;
begin
  if not exists (select from parking.profiles p where p.id = (select private.caller_id())) then
    perform private.refuse_absent('profiles', requires_approval => false);
  end if;

  -- Null leaves a preference as it is; {null}, an empty text and 0 clear it.
  insert into parking.preferences as p (mail, push, language, remind_minutes)
  values (
    nullif(update_preferences.mail, '{null}'),
    nullif(update_preferences.push, '{null}'),
    nullif(update_preferences.language, ''),
    nullif(update_preferences.remind_minutes, 0)
  )
  on conflict on constraint preferences_pkey do update
    set mail = nullif(coalesce(update_preferences.mail, p.mail), '{null}'),
        push = nullif(coalesce(update_preferences.push, p.push), '{null}'),
        language = nullif(coalesce(update_preferences.language, p.language), ''),
        remind_minutes = nullif(coalesce(update_preferences.remind_minutes, p.remind_minutes), 0)
  returning * into v_preferences;

  return v_preferences;
end;
$$;

comment on function api.update_preferences is
  'Choose what you want by mail, and at once on your devices; null: as the building has it. Also before approval';
grant execute on function api.update_preferences to parking_api;
