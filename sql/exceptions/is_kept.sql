/* For what publishes windows of a plan: a time that the owner needs is left out. */
create or replace function private.is_kept(
    spot_id uuid,
    start_time timestamptz,
    end_time timestamptz
)
  returns boolean
  language sql
  stable
  security invoker -- owners see their own exceptions, and no others matter to them
return private.kept_times(is_kept.spot_id, is_kept.end_time)
  && tstzrange(is_kept.start_time, is_kept.end_time);

comment on function private.is_kept is
  'Whether the owner of the spot needs it at some moment between these two.';
grant execute on function private.is_kept to parking_api;
