create or replace function api.create_claim_series(
    weekdays text[],
    starts_at text,
    ends_at text,
    first_day date,
    last_day date,
    spot_id uuid default null,
    building_section text default null,
    guest text default null,
    vehicle text default null,
    all_or_none boolean default false,
    language text default 'en',
    out series_id uuid,
    out days json
)
  language plpgsql
  set search_path = ''
as $$
declare
  v_series private.claim_series := row(
    uuidv7(),
    create_claim_series.weekdays,
    create_claim_series.starts_at,
    create_claim_series.ends_at,
    create_claim_series.first_day,
    create_claim_series.last_day,
    create_claim_series.spot_id,
    create_claim_series.building_section,
    create_claim_series.guest,
    create_claim_series.vehicle,
    create_claim_series.all_or_none,
    null,
    null
  ); -- or its rules refuse
begin
  series_id := v_series.id;
  days := private.claim_days(v_series, create_claim_series.language);
  v_series.number_of_days := json_array_length(days);
  v_series.number_of_claims := (
    select count(d.day ->> 'availability_id') from json_array_elements(days) d (day)
  ); -- or its rules refuse
end;
$$;

comment on function api.create_claim_series is
  'Claim the same hours of several days: all that can be had or, with all_or_none, all or none of them';
grant execute on function api.create_claim_series to parking_api;
