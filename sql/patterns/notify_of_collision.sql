/* One message for a series: while the owner has not read it, there is no second one for the spot. */
create or replace function private.notify_of_collision(
    pattern_id uuid,
    start_time timestamptz,
    end_time timestamptz
)
  returns void
  language plpgsql
  volatile
  security definer -- writes to the owner's notifications and to the log
  set search_path = ''
as $$
declare
  v_caller constant text := current_setting('request.jwt.claims', true);
  v_pattern parking.patterns;
begin
  select p.* into v_pattern
    from parking.patterns p
   where p.id = notify_of_collision.pattern_id
     and p.owner_id = (select private.caller_id())
     and not exists (
       select
         from parking.notifications n
        where n.recipient_id = p.owner_id
          and n.spot_id = p.spot_id
          and n.kind = 'pattern.collided'
          and not n.is_read
     );

  if not found then
    return;
  end if;

  insert into private.new_events (type, subject_id, data)
  values ('pattern.collided', v_pattern.id, to_jsonb(v_pattern));

  -- Nobody gets a notification about their own action: it is the pattern that acts.
  perform set_config('request.jwt.claims', '', true);
  perform private.notify(
    v_pattern.owner_id,
    'pattern.collided',
    s,
    start_time => notify_of_collision.start_time,
    end_time => notify_of_collision.end_time
  )
     from parking.spots s
    where s.id = v_pattern.spot_id;
  perform set_config('request.jwt.claims', v_caller, true);
end;
$$;

comment on function private.notify_of_collision is
  'Notifies the caller that another window is where their pattern would have had one.';
grant execute on function private.notify_of_collision to parking_api;
