-- Each setting is an argument: with other arguments it would be another function.
drop function if exists api.update_building;
create or replace function api.update_building(
    name text default null,
    time_zone text default null,
    longest_window_days integer default null,
    horizon_days integer default null,
    shortest_claim_minutes integer default null,
    longest_claim_minutes integer default null,
    claim_notice_minutes integer default null,
    cancellation_cutoff_minutes integer default null,
    most_active_claims integer default null,
    pattern_days integer default null,
    rest_stays_on_offer boolean default null,
    offer_minutes integer default null,
    event_days integer default null,
    notification_days integer default null,
    job_days integer default null,
    mail text[] default null,
    language text default null,
    remind_minutes integer default null,
    grace_minutes integer default null,
    mark text default null,
    colour text default null,
    gate_minutes integer default null,
    passage_days integer default null,
    session_days integer default null
)
  returns parking.buildings
  language plpgsql
  set search_path = ''
as $$
declare
  v_building parking.buildings;
begin
  -- Null leaves a limit as it is; 0 clears it. An empty text clears mark and colour.
  update parking.building b
     set name = coalesce(update_building.name, b.name),
         time_zone = coalesce(update_building.time_zone, b.time_zone),
         pattern_days = coalesce(update_building.pattern_days, b.pattern_days),
         rest_stays_on_offer =
           coalesce(update_building.rest_stays_on_offer, b.rest_stays_on_offer),
         offer_minutes = nullif(coalesce(update_building.offer_minutes, b.offer_minutes), 0),
         event_days = coalesce(update_building.event_days, b.event_days),
         notification_days = coalesce(update_building.notification_days, b.notification_days),
         job_days = coalesce(update_building.job_days, b.job_days),
         mail = coalesce(update_building.mail, b.mail),
         language = coalesce(update_building.language, b.language),
         remind_minutes = coalesce(update_building.remind_minutes, b.remind_minutes),
         grace_minutes = nullif(coalesce(update_building.grace_minutes, b.grace_minutes), 0),
         mark = nullif(coalesce(update_building.mark, b.mark), ''),
         colour = nullif(coalesce(update_building.colour, b.colour), ''),
         gate_minutes = coalesce(update_building.gate_minutes, b.gate_minutes),
         passage_days = coalesce(update_building.passage_days, b.passage_days),
         session_days = coalesce(update_building.session_days, b.session_days);

  perform api.update_section(
    null, update_building.longest_window_days, update_building.horizon_days,
    update_building.shortest_claim_minutes, update_building.longest_claim_minutes,
    update_building.claim_notice_minutes, update_building.cancellation_cutoff_minutes,
    update_building.most_active_claims
  );

  select b.* into v_building from api.get_building() b;
  return v_building;
end;
$$;

comment on function api.update_building is
  'Change the building; null clears a limit. Windows and claims that are there stay as they are';
grant execute on function api.update_building to parking_api;
