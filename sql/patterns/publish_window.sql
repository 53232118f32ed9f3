/*
 * Beside the windows of the pattern that stay where they are, and without what its owner keeps by an
 * exception. So a day that is published already has nothing to publish.
 */
create or replace function private.publish_window(
    pattern parking.patterns,
    day date,
    start_time timestamptz,
    end_time timestamptz
)
  returns table (
    piece_start timestamptz,
    piece_end timestamptz,
    outcome text,
    rule text
  )
  language plpgsql
  volatile
  security invoker -- the limits of the building bind what is published
  set search_path = ''
as $$
declare
  -- Empty where a change of the clock leaves no time.
  v_span constant tstzmultirange :=
    tstzmultirange(tstzrange(start_time, greatest(start_time, end_time)));
  v_kept constant tstzmultirange := private.kept_times(pattern.spot_id, end_time);
  v_own constant tstzmultirange := (
    select coalesce(range_agg(a.during), '{}')
      from parking.availabilities a
     where a.spot_id = pattern.spot_id
       and a.pattern_id = pattern.id
       and a.start_time < publish_window.end_time
       and a.end_time > publish_window.start_time
  );
  v_left_out constant tstzmultirange := (
    select coalesce(range_agg(t), '{}') from unnest(pattern.left_out_times) t
  );
  v_free tstzmultirange;
  v_id uuid;
  v_message text;
begin
  for piece_start, piece_end in
    select lower(p), upper(p) from unnest(v_span - v_own - v_left_out) p
    union all
    select start_time, end_time where isempty(v_span)
  loop
    v_free := tstzmultirange(tstzrange(piece_start, greatest(piece_start, piece_end))) - v_kept;
    -- A day without a window is published when the exception ends (private.publish_left_days).
    continue when isempty(v_free) and isempty(v_own) and not isempty(v_span);
    rule := null;

    begin
      -- Whole at first, so that each exception can give back what it takes.
      insert into parking.availabilities
        (spot_id, owner_id, start_time, end_time, pattern_id, pattern_day)
      values (pattern.spot_id, pattern.owner_id, piece_start, piece_end, pattern.id, day)
      returning id into v_id;
      outcome := 'published';
    exception
      when integrity_constraint_violation or insufficient_privilege then
        get stacked diagnostics rule = constraint_name, v_message = message_text;
        -- A policy has its name in the message only.
        rule := coalesce(nullif(rule, ''), substring(v_message from 'policy "([^"]+)" for table'));
        if rule is null or rule = 'approved_account_required' then
          raise; -- no rule about windows
        end if;
        outcome := case rule when 'availabilities_do_not_overlap' then 'overlaps' else 'refused' end;
    end;

    if outcome = 'published' and v_kept && tstzrange(piece_start, piece_end) then
      perform private.keep_out_of_window(v_id);
    end if;
    if outcome = 'published' and not isempty(v_own) then
      perform private.rejoin_piece(v_id);
    end if;
    if isempty(v_span) then
      return next;
    end if;
    return query select lower(f), upper(f), outcome, rule from unnest(v_free) f;
  end loop;

  return query
    select lower(k), upper(k), 'kept', null
      from unnest(v_span * v_kept - v_own - v_left_out) k
    union all
    select lower(o), upper(o), 'overlaps', null from unnest(v_span * v_own) o;
end;
$$;

comment on function private.publish_window is
  'Publishes the window of a day of a pattern, and says of its pieces: published, kept (by an exception of the owner), overlaps (another window; one of the pattern itself without a rule) or refused (by the rule).';
grant execute on function private.publish_window to parking_api;
