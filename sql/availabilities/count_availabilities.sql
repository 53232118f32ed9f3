create or replace function api.count_availabilities(
    is_claimed boolean default null,
    start_date timestamptz default null,
    end_date timestamptz default null
)
  returns bigint
  language sql
  stable
  security invoker
return private.total_availabilities(
  count_availabilities.is_claimed,
  count_availabilities.start_date,
  count_availabilities.end_date
);

comment on function api.count_availabilities is
  'How many windows of the whole building the caller sees; exact, and as fast with millions of them';
grant execute on function api.count_availabilities to parking_api;
