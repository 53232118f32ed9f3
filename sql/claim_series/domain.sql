/* A request for the same hours of several days, and what came of it. */
do $$
begin
  create type private.claim_series_request as (
    id uuid,
    weekdays text[],
    starts_at text,
    ends_at text,
    first_day date,
    last_day date,
    spot_id uuid,
    building_section text,
    guest text,
    vehicle text,
    all_or_none boolean,
    number_of_days integer,
    number_of_claims integer
  );
  create domain private.claim_series as private.claim_series_request;
exception
  when duplicate_object then null; -- this file can be run again
end;
$$;

comment on domain private.claim_series is
  'The hours and days of a series of claims, and how many of them were claimed.';
