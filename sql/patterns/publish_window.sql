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
  -- Empty, and so never kept, where a change of the clock leaves no time.
  v_span constant tstzrange := tstzrange(start_time, greatest(start_time, end_time));
  v_kept constant tstzmultirange :=
    tstzmultirange(v_span) * private.kept_times(pattern.spot_id, end_time);
  v_id uuid;
  v_message text;
begin
  if tstzmultirange(v_span) <> v_kept or isempty(v_span) then
    begin
      insert into parking.availabilities
        (spot_id, owner_id, start_time, end_time, pattern_id, pattern_day)
      values (pattern.spot_id, pattern.owner_id, start_time, end_time, pattern.id, day)
      returning id into v_id;
    exception
      when integrity_constraint_violation or insufficient_privilege then
        get stacked diagnostics rule = constraint_name, v_message = message_text;
        -- A policy has its name in the message only.
        rule := coalesce(nullif(rule, ''), substring(v_message from 'policy "([^"]+)" for table'));
        if rule is null then
          raise; -- no rule, but a fault
        end if;
        outcome := case rule when 'availabilities_do_not_overlap' then 'overlaps' else 'refused' end;
        piece_start := start_time;
        piece_end := end_time;
        return next;
        return;
    end;
    if not isempty(v_kept) then
      perform private.keep_out_of_window(v_id);
    end if;
  end if;

  return query
    select lower(p), upper(p), 'published', null from unnest(tstzmultirange(v_span) - v_kept) p
    union all
    select lower(p), upper(p), 'kept', null from unnest(v_kept) p
     order by 1;
end;
$$;

comment on function private.publish_window is
  'Publishes the window of a day of a pattern, and says of its pieces: published, kept (by an exception of the owner), overlaps (another window) or refused (by the rule).';
grant execute on function private.publish_window to parking_api;
