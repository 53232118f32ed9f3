/*
 * Mostly all can be published in one statement. Where a rule refuses one of them, each half is tried alone: a
 * spot may have thousands.
 */
create or replace function private.publish(
    spot parking.spots,
    sources uuid[],
    patterns uuid[],
    spans tstzrange[]
)
  returns text
  language plpgsql
  volatile
  security invoker -- the limits of the building bind what is published
  set search_path = ''
as $$
declare
  v_half constant integer := cardinality(spans) / 2;
  v_rule text;
  v_message text;
begin
  if spans is null then
    return null;
  end if;
  delete from parking.availabilities a
   where a.spot_id = (spot).id
     and a.during && (select range_agg(s) from unnest(spans) s);
  insert into parking.availabilities
    (spot_id, owner_id, start_time, end_time, source_id, pattern_id)
  select (spot).id, (spot).owner_id, lower(w.span), upper(w.span), w.source_id, w.pattern_id
    from unnest(sources, patterns, spans) w (source_id, pattern_id, span)
   order by w.span;
  return null;
exception
  when integrity_constraint_violation or insufficient_privilege then
    get stacked diagnostics v_rule = constraint_name, v_message = message_text;
    -- A policy has its name in the message only.
    v_rule := coalesce(nullif(v_rule, ''), substring(v_message from 'policy "([^"]+)" for table'));
    if v_rule is null or v_rule = 'approved_account_required' then
      raise; -- no rule of windows, but a fault, or an owner who is not approved any more
    end if;
    if v_half > 0 then
      perform private.publish(spot, sources[:v_half], patterns[:v_half], spans[:v_half]),
              private.publish(spot, sources[v_half + 1:], patterns[v_half + 1:], spans[v_half + 1:]);
    end if;
    return v_rule;
end;
$$;

comment on function private.publish is
  'Publishes windows of sources in place of those in their way, but for those that a rule refuses. Returns the first such rule.';
grant execute on function private.publish to parking_api;
