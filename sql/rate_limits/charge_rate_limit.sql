/* For services of 1.0.0 that still run beside newer ones. No newer one uses it. */
create or replace function private.charge_rate_limit(
    key text,
    points integer,
    most integer,
    seconds integer,
    out charged integer,
    out milliseconds integer
)
  language sql
  volatile
  security invoker
  set search_path = ''
begin atomic
  -- Their keys are <window>:<caller> already.
  select c.charged, c.milliseconds
    from private.charge_rate_limits(
      split_part(charge_rate_limit.key, ':', 2),
      charge_rate_limit.points,
      array[split_part(charge_rate_limit.key, ':', 1)],
      array[charge_rate_limit.most],
      array[charge_rate_limit.seconds]
    ) c;
end;

comment on function private.charge_rate_limit is
  'Charges one window, for services of 1.0.0. Goes with the next version.';
grant execute on function private.charge_rate_limit to parking_api;
