/*
 * Reads what a process sends to all its listeners in one query, however many they are.
 * Approval is what the profiles say: where groups decide, private.follow_groups keeps it there.
 */
create or replace function private.read_events(
    after bigint,
    people uuid[],
    most integer default 200
)
  returns table (
    "position" bigint,
    type text,
    occurred_at timestamptz,
    data jsonb,
    seen_by integer[]
  )
  language plpgsql
  stable
  security definer -- the API role has no access to the log
  set search_path = ''
as $$
declare
  v_log private.last_position;
  v_suspended_owners uuid[];
  v_reached bigint;
begin
  perform private.require_service();

  select l.* into v_log
    from private.last_position l;

  if read_events.after not between v_log.kept_after and v_log.position then
    return query
    select v_log.position, 'reset', now(), '{}'::jsonb, null::integer[];
    v_reached := v_log.position;
  elsif read_events.after = v_log.position then
    v_reached := v_log.position;
  else
    select case when count(*) < read_events.most then v_log.position else max(e.position) end
      into v_reached
      from (
        select o.position
          from only private.events o
         where o.position > read_events.after
         order by o.position
         limit read_events.most
      ) e;
    -- Also those who own nothing any more: the log has what they had.
    v_suspended_owners := array(
      select p.id
        from parking.profiles p
       where not p.is_approved
    );

    return query
    with listeners as materialized (
      select a.id, a.at::integer as at, l.is_admin
        from unnest(read_events.people) with ordinality a (id, at)
        join private.listeners l on l.id = a.id
    )
    select e.position,
           v.type,
           e.occurred_at,
           v.data,
           case
             when not coalesce(v.is_for_all, false) then array(
               select l.at
                 from listeners l
                where l.id = any (v.people)
                   or (l.is_admin and v.is_for_administrators)
             )
           end
      from only private.events e
     cross join lateral private.views_of_event(e, v_suspended_owners) v
     where e.position > read_events.after
       and e.position <= v_reached
     order by e.position, v.rank;
  end if;

  return query
  select v_reached,
         null,
         null::timestamptz,
         null::jsonb,
         array(
           select a.at::integer
             from unnest(read_events.people) with ordinality a (id, at)
             join private.listeners l on l.id = a.id
         );
end;
$$;

comment on function private.read_events is
  'What happened after a position, in order, with the numbers of those of these people who may see it, and null for all who are approved; each sees the rows of a position that are theirs. The last row says how far it came, and who of them is approved. Where events after the position are no longer kept, or it is none of this log, the first row is a reset.';
grant execute on function private.read_events to parking_api;
