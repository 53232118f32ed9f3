/* A change of past events locks the order first. Otherwise it would miss an event that is moved meanwhile. */
create or replace function private.lock_events()
  returns void
  language sql
  security invoker -- the owner's tool: no grant to the API role
  set search_path = ''
begin atomic
  select from private.last_position for update;
end;

comment on function private.lock_events is
  'Keeps events where they are until the transaction ends.';

/*
 * The order of ids, or of a sequence, is not that of commits: a reader that has seen one event would pass
 * over those that are committed later with a lower number. So events get their positions when they are
 * committed, from one transaction at a time.
 */
create or replace function private.order_events(most integer default 1000)
  returns bigint
  language plpgsql
  security definer -- the API role has no access to the log
  set search_path = ''
as $$
declare
  v_before bigint;
  v_last bigint;
begin
  perform private.require_service();

  select l.position into v_before
    from private.last_position l
     for update skip locked;

  if not found then
    if not exists (select from private.last_position) then
      raise exception 'private.last_position has no row: insert one, with the greatest position of private.events';
    end if;
    return null; -- another process is at it
  end if;

  perform set_config('parking.ordering', 'on', true); -- the exception of events_are_only_added
  with taken as (
    delete from private.new_events n
     where n.ctid = any (array(
       select e.ctid
         from private.new_events e
        order by e.id
        limit order_events.most
          for update skip locked -- of a table's owner at work
     ))
    returning n.*
  ),
  ordered as (
    insert into private.events
      (id, type, subject_id, actor_id, data, occurred_at, reason, position)
    select t.id, t.type, t.subject_id, t.actor_id, private.event_data(t.type, t.data), t.occurred_at,
           t.reason,
           v_before + row_number() over (order by t.id)
      from taken t
    returning events.position
  )
  select max(o.position) into v_last
    from ordered o;
  perform set_config('parking.ordering', 'off', true);

  if v_last is null then
    return v_before;
  end if;

  update private.last_position l
     set position = v_last;

  perform private.add_delivery(w.id, e.id)
     from parking.webhooks w
     join private.events e on e.type = any (w.types)
    where w.enabled
      and e.position > v_before
      and e.position <= v_last
    order by e.position;
  perform private.add_mails(v_before, v_last);
  return v_last;
end;
$$;

comment on function private.order_events is
  'Gives committed events their positions, at most so many at once, and returns the last position; null where another process is about it.';
grant execute on function private.order_events to parking_api;
