/*
 * A window that its owner published by hand is offered but for the times that the owner keeps. A window of a
 * source is offered as far as the sources still share its time. The past does not change, and what is claimed
 * counts as offered.
 */
create or replace function private.set_offered(spot_id uuid)
  returns void
  language plpgsql
  volatile
  security definer -- nobody writes what follows from the rows; what it sets is the same, whoever asks
  set search_path = ''
as $$
declare
  v_now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_past constant tstzmultirange := tstzmultirange(tstzrange(null, v_now));
  v_is_retired constant boolean := exists (
    select from parking.spots s where s.id = set_offered.spot_id and s.retired_at is not null
  );
  v_kept constant tstzmultirange := private.kept_times(set_offered.spot_id, 'infinity');
  v_said constant tstzmultirange := (
    select coalesce(range_agg(x.said), '{}')
      from (
        select unnest(tstzmultirange(s.span) - s.withdrawn) as said
          from private.source_spans(set_offered.spot_id) s
      ) x
  );
  v_window parking.availabilities;
  v_offered tstzmultirange;
  v_changed parking.availabilities[] := '{}';
begin
  perform private.require_trigger();
  for v_window in
    select a.*
      from parking.availabilities a
     where a.spot_id = set_offered.spot_id
       and a.end_time > v_now
       and not (v_is_retired and a.is_claimed) -- nothing of it is free, and nothing will be
     order by a.id
       for no key update
  loop
    v_offered := case
      when v_is_retired then '{}'
      when v_window.source_id is null then tstzmultirange(v_window.during)
      else tstzmultirange(v_window.during) * v_said
    end - v_kept - v_past;
    v_offered := coalesce(v_window.offered, tstzmultirange(v_window.during)) * v_past + v_offered;
    -- Null only where nothing is withdrawn: who frees what is claimed asks (private.freed_by_claims).
    v_offered := case
      when v_offered <> tstzmultirange(v_window.during) then v_offered + coalesce(
        (select range_agg(c.held) from parking.claims c where c.holds = v_window.id), '{}'
      )
    end;
    if v_offered is distinct from v_window.offered then
      v_window.offered := v_offered;
      v_changed := v_changed || v_window;
    end if;
  end loop;

  perform private.add_day_counts(f.start_time, f.end_time, windows => f.windows_more, claimed => f.claimed_more)
     from private.set_free(v_changed) f
    where (f.windows_more, f.claimed_more) <> (0, 0);
end;
$$;

comment on function private.set_offered is
  'Sets anew what is offered, and what is free, of the windows of a spot that have not ended. The caller has locked the spot.';
grant execute on function private.set_offered to parking_api;
