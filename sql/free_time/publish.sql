create or replace function private.publish(
    spot parking.spots,
    source_id uuid,
    pattern_id uuid,
    span tstzrange
)
  returns text
  language plpgsql
  volatile
  security invoker -- the limits of the building bind what is published
  set search_path = ''
as $$
declare
  v_rule text;
  v_message text;
begin
  insert into parking.availabilities
    (spot_id, owner_id, start_time, end_time, source_id, pattern_id)
  values (
    (spot).id, (spot).owner_id, lower(span), upper(span), publish.source_id, publish.pattern_id
  );
  return null;
exception
  when integrity_constraint_violation or insufficient_privilege then
    get stacked diagnostics v_rule = constraint_name, v_message = message_text;
    -- A policy has its name in the message only.
    v_rule := coalesce(nullif(v_rule, ''), substring(v_message from 'policy "([^"]+)" for table'));
    if v_rule is null then
      raise; -- no rule, but a fault
    end if;
    return v_rule;
end;
$$;

comment on function private.publish is
  'Publishes a window of a source, or returns the rule that refuses it.';
grant execute on function private.publish to parking_api;
