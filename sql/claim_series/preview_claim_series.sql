/* It does what POST does, and takes it back: so all rules judge, also those of the building. */
create or replace function api.preview_claim_series(
    weekdays text[],
    starts_at text,
    ends_at text,
    first_day date,
    last_day date,
    spot_id uuid default null,
    building_section text default null,
    language text default 'en',
    out days json
)
  language plpgsql
  set search_path = ''
  set lock_timeout = '250ms' -- who looks waits shorter than who claims
as $$
begin
  days := private.claim_days(
    row(
      null,
      preview_claim_series.weekdays,
      preview_claim_series.starts_at,
      preview_claim_series.ends_at,
      preview_claim_series.first_day,
      preview_claim_series.last_day,
      preview_claim_series.spot_id,
      preview_claim_series.building_section,
      null, null, null, null, null
    )::private.claim_series, -- or its rules refuse
    preview_claim_series.language
  );
  raise sqlstate 'PT001'; -- takes all of it back, but for the answer
exception
  when sqlstate 'PT001' then
    null;
end;
$$;

comment on function api.preview_claim_series is
  'Which spot would be claimed on each day of a series, or why none; nothing is changed';
grant execute on function api.preview_claim_series to parking_api;
