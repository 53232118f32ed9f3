/*
 * Mails, or pushes, that are due by the clock: reminders, and the list of those who wait for approval. It reads claims as
 * they are now, so one that was moved or cancelled needs no care. The key of a job says what it is about and
 * when, so that none is sent twice.
 */
create or replace function private.add_due_mails(channel text default 'mail')
  returns void
  language plpgsql
  security definer -- the API role has no access to the jobs
  set search_path = ''
as $$
declare
  c_hour_of_lists constant integer := 7;
  v_now constant timestamptz := clock_timestamp();
  v_furthest timestamptz;
  v_local timestamp;
begin
  perform private.require_service();

  select v_now + make_interval(mins => greatest(b.remind_minutes, max(f.remind_minutes))),
         v_now at time zone b.time_zone
    into v_furthest, v_local
    from parking.building b
    left join parking.preferences f on f.remind_minutes is not null
   group by b.id;

  perform private.add_message(
    add_due_mails.channel,
    format('%s.%s.%s', d.kind, c.id, extract(epoch from d.due_at)),
    jsonb_build_object('kind', d.kind, 'recipient_id', r.id, 'claim_id', c.id, 'at', d.due_at)
  )
     from parking.claims c
    cross join lateral (
      values ('claim.starts', c.start_time, c.created_at), ('claim.ends', c.end_time, c.start_time)
    ) d (kind, due_at, since)
     join private.recipients r on r.id = c.claimer_id and d.kind = any (r.kinds)
    where (
        c.start_time > v_now and c.start_time <= v_furthest
        or c.end_time > v_now and c.end_time <= v_furthest
      )
      and d.due_at > v_now
      and d.due_at <= v_now + make_interval(mins => r.remind_minutes)
      -- Not of a claim that is made in the last minute, or is so short.
      and d.since < d.due_at - make_interval(mins => r.remind_minutes)
      and c.status = 'active'
      and r.channel = add_due_mails.channel;

  -- Somebody who is left waiting on purpose is not listed every day for ever.
  if extract(hour from v_local) >= c_hour_of_lists
    and exists (
      select from private.waiting_people w where w.created_at > v_now - interval '7 days'
    )
  then
    perform private.add_message(
      add_due_mails.channel,
      format('profiles.waiting.%s.%s', r.id, v_local::date),
      jsonb_build_object('kind', 'profiles.waiting', 'recipient_id', r.id)
    )
       from private.recipients r
      where r.channel = add_due_mails.channel
        and r.is_admin
        and 'profiles.waiting' = any (r.kinds);
  end if;
end;
$$;

comment on function private.add_due_mails is
  'Adds the reminders by mail, or by push, that are due, and, once a day, the message to administrators about who waits for approval.';
grant execute on function private.add_due_mails to parking_api;
