/* From the columns that private.set_free keeps: it costs a list nothing, and shows nothing of the claims of others. */
create or replace function private.free_times(availability parking.availabilities)
  returns tstzmultirange
  language sql
  stable
  parallel safe
return case
  when (availability).free is not null then (
    select coalesce(range_agg(tstzrange(s.start_time, s.end_time)), '{}')
      from jsonb_to_recordset((availability).free) s (start_time timestamptz, end_time timestamptz)
  )
  when (availability).is_claimed then '{}'
  else tstzmultirange((availability).during)
end;

comment on function private.free_times is
  'What of a window is free: what is offered of it, without what claims take.';
grant execute on function private.free_times to parking_api;

/*
 * A claimed window outlives the source that published it. When its claim ends, it is on offer only if its owner
 * still shares that time. Mostly its source still says just that.
 */
create or replace function private.freed_by_claims(windows uuid[])
  returns setof uuid
  language plpgsql
  stable
  security definer -- a claimer may not see a window that is not on offer
  set search_path = ''
as $$
begin
  perform private.require_trigger();
  return query
  select distinct a.spot_id
    from parking.availabilities a
   where a.id = any (freed_by_claims.windows)
     and (
       a.offered is not null
       -- An old snapshot shows no plans of today: private.lock_spot_to_reconcile fails then.
       or current_setting('transaction_isolation') <> 'read committed'
       or a.source_id is not null
         and (
           select (s.source_id, s.span) = (a.source_id, a.during)
             from private.source_spans(a.spot_id, a.during) s
            where s.span && a.during
            order by s.rank
            limit 1
         ) is not true
     )
   order by a.spot_id;
end;
$$;

comment on function private.freed_by_claims is
  'The spots of those of these freed windows that may differ from what is to be on offer now.';
grant execute on function private.freed_by_claims to parking_api;

/* For the list of windows, which asks it of those alone that are free in part. */
create or replace function private.has_free(
    free jsonb,
    "from" timestamptz default null,
    until timestamptz default null
)
  returns boolean
  language sql
  stable
  parallel safe
return exists (
  select
    from jsonb_to_recordset(has_free.free) s (start_time timestamptz, end_time timestamptz)
   where (has_free."from" is null or s.start_time <= has_free."from" and s.end_time > has_free."from")
     and (has_free.until is null or s.start_time < has_free.until and s.end_time >= has_free.until)
);

comment on function private.has_free is
  'Whether one of these free spans begins at or before a time and lasts until another.';
grant execute on function private.has_free to parking_api;

/* Windows start in the future, and on full minutes. */
create or replace function private.next_minute()
  returns timestamptz
  language sql
return date_trunc('minute', clock_timestamp() + interval '90 seconds');

comment on function private.next_minute is
  'The first full minute that is at least half a minute away.';
grant execute on function private.next_minute to parking_api;

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

/*
 * The times that the owner wants to offer: absences come first, then patterns. Each day of a pattern is a span of
 * its own, even if the next day begins at its end.
 */
create or replace function private.source_spans(spot_id uuid, around tstzrange default '(,)')
  returns table (rank bigint, source_id uuid, pattern_id uuid, span tstzrange, withdrawn tstzmultirange)
  language plpgsql
  stable
  security invoker -- owners see their own plans, and no others matter to their spots
  set search_path = ''
as $$
declare
  v_building constant parking.building := private.building();
  v_today constant date := (clock_timestamp() at time zone v_building.time_zone)::date;
begin
  return query
    select row_number() over (order by x.is_pattern, x.id, x.span),
           x.id,
           case when x.is_pattern then x.id end,
           x.span,
           x.withdrawn
      from (
        select false as is_pattern, e.id, tstzrange(e.start_time, e.end_time) as span, e.withdrawn
          from parking.spots s
          join parking.exceptions e
            on e.owner_id = s.owner_id
           and coalesce(e.spot_id, s.id) = s.id
           and s.id < e.id -- one that was registered later was never shared by it
         where s.id = source_spans.spot_id
           and e.kind = 'share'
           and e.end_time > clock_timestamp()
        union all
        select true, p.id, tstzrange(t.start_time, t.end_time), p.withdrawn
          from parking.patterns p
         cross join lateral private.pattern_spans(
           p.weekdays,
           p.starts_at,
           p.ends_at,
           -- One that began the day before may last until then.
           greatest(
             p.first_day, v_today - 1,
             (lower(source_spans.around) at time zone v_building.time_zone)::date - 1
           ),
           least(
             p.last_day,
             greatest(p.published_until, v_today + v_building.pattern_days - 1),
             (upper(source_spans.around) at time zone v_building.time_zone)::date
           ),
           v_building.time_zone
         ) t
         where p.spot_id = source_spans.spot_id
           and t.start_time < t.end_time -- not where a change of the clock leaves no time
      ) x;
end;
$$;

comment on function private.source_spans is
  'What the patterns and the exceptions of kind share of the caller say of a spot, from today on and around a time, in the order in which they come first; and what was withdrawn of them by hand.';
grant execute on function private.source_spans to parking_api;

create or replace function private.spans(times tstzmultirange)
  returns jsonb
  language sql
  stable
  parallel safe
return (
  select coalesce(
           jsonb_agg(
             jsonb_build_object(
               'start_time', private.iso8601(lower(t)),
               'end_time', private.iso8601(upper(t))
             )
             order by t
           ),
           '[]'
         )
    from unnest(times) t
);

comment on function private.spans is
  'Times as they go out: [{ start_time, end_time }], by start.';
grant execute on function private.spans to parking_api;
