/* Nobody could claim a piece that is shorter than the shortest claim. */
create or replace function private.pieces_of(gap tstzrange, limits parking.limits)
  returns setof tstzrange
  language sql
  stable
  set search_path = ''
as $$
  select tstzrange(
           piece,
           least(upper(gap), private.days_after(piece, (limits).longest_window_days))
         )
    from generate_series(
      lower(gap),
      upper(gap) - make_interval(mins => coalesce((limits).shortest_claim_minutes, 0)) - interval '1 millisecond',
      make_interval(days => coalesce((limits).longest_window_days, 10000)),
      (private.building()).time_zone
    ) piece
$$;

comment on function private.pieces_of is
  'A time that shall be on offer, in windows as long as the limits allow.';
grant execute on function private.pieces_of to parking_api;
