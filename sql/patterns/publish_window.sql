create or replace function private.publish_window(
    pattern parking.patterns,
    day date,
    start_time timestamptz,
    end_time timestamptz,
    out outcome text,
    out rule text
)
  language plpgsql
  volatile
  security invoker -- the limits of the building bind what is published
  set search_path = ''
as $$
declare
  v_message text;
begin
  if private.is_kept(pattern.spot_id, start_time, end_time) then
    outcome := 'kept';
    return;
  end if;

  insert into parking.availabilities
    (spot_id, owner_id, start_time, end_time, pattern_id, pattern_day)
  values (pattern.spot_id, pattern.owner_id, start_time, end_time, pattern.id, day);
  outcome := 'published';
exception
  when integrity_constraint_violation or insufficient_privilege then
    get stacked diagnostics rule = constraint_name, v_message = message_text;
    -- A policy has its name in the message only.
    rule := coalesce(nullif(rule, ''), substring(v_message from 'policy "([^"]+)" for table'));
    if rule is null then
      raise; -- no rule, but a fault
    end if;
    outcome := case rule when 'availabilities_do_not_overlap' then 'overlaps' else 'refused' end;
end;
$$;

comment on function private.publish_window is
  'Publishes the window of a day of a pattern: published, kept (by an exception of the owner), overlaps (another window) or refused (by the rule).';
grant execute on function private.publish_window to parking_api;
