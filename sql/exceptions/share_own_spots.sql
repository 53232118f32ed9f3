/* Who is away shares what is not on offer yet. Windows are published as their owner publishes them, so every rule binds. */
create or replace function private.share_own_spots(shared parking.exceptions)
  returns void
  language plpgsql
  volatile
  security invoker -- policies and constraints decide; this function adds no power
  set search_path = ''
as $$
declare
  v_zone constant text := (private.building()).time_zone;
  v_span constant tstzrange := tstzrange(
    least(greatest(shared.start_time, private.next_minute()), shared.end_time),
    shared.end_time
  );
  v_windows uuid[];
begin
  with gaps as (
    select s.id, s.owner_id, gap
      from parking.spots s
     cross join lateral unnest(
       tstzmultirange(v_span)
       - coalesce((
           select range_agg(a.during)
             from parking.availabilities a
            where a.spot_id = s.id
              and a.start_time < shared.end_time
              and a.end_time > lower(v_span)
         ), '{}')
       - private.kept_times(s.id, shared.end_time)
     ) gap
     where s.owner_id = shared.owner_id
       and s.retired_at is null
       and s.id = coalesce(shared.spot_id, s.id)
  ),
  pieces as (
    select g.id,
           g.owner_id,
           piece as start_time,
           least(upper(gap), private.days_after(piece, l.longest_window_days)) as end_time
      from gaps g
     cross join lateral private.limits_of(g.id) l
     cross join lateral generate_series(
       lower(gap),
       -- Nobody could claim a shorter one.
       upper(gap) - make_interval(mins => coalesce(l.shortest_claim_minutes, 1)),
       make_interval(days => coalesce(l.longest_window_days, 1000)),
       v_zone
     ) piece
  ),
  published as (
    insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
    select p.id, p.owner_id, p.start_time, p.end_time
      from pieces p
     order by p.id, p.start_time
    returning id
  )
  select array_agg(p.id) into v_windows
    from published p;

  perform private.note_shared(shared.id, v_windows);
end;
$$;

comment on function private.share_own_spots is
  'Publishes what is not on offer yet of the time of an exception, in windows as long as the limits of each spot allow; not what another exception keeps.';
grant execute on function private.share_own_spots to parking_api;
