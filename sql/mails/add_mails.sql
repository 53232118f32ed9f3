/*
 * The mails of notifications, in the transaction that gives their events a position. What happens within
 * seconds of one another, such as a series of claims, is one mail: it leaves a moment later. Once there were
 * many of a kind in a day, that moment is an hour: a neighbour with a script floods nobody.
 */
create or replace function private.add_mails(after bigint, until bigint)
  returns void
  language plpgsql
  security invoker -- for private.order_events: no grant to the API role
  set search_path = ''
as $$
declare
  c_moment constant interval := interval '10 seconds';
  c_many constant integer := 10;
  c_moment_after_many constant interval := interval '1 hour';
  v_mail record;
begin
  if not private.is_mail_on() then
    return;
  end if;

  for v_mail in
    select n.recipient_id,
           n.kind,
           to_jsonb(array_agg(n.id order by e.position)) as notifications,
           min(e.position) as position
      from private.events e
      join parking.notifications n on n.id = e.subject_id
      join private.mail_recipients r on r.id = n.recipient_id and n.kind = any (r.mail)
     where e.position > add_mails.after
       and e.position <= add_mails.until
       and e.type = 'notification.created'
     group by n.recipient_id, n.kind
  loop
    update private.jobs j
       set data = j.data || jsonb_build_object(
             'notifications', (j.data -> 'notifications') || v_mail.notifications
           )
     where j.lane = 'mail'
       and j.ended_at is null
       and not private.is_due(j.run_at, j.pause)
       and j.attempts = 0
       and j.data ->> 'recipient_id' = v_mail.recipient_id::text
       and j.data ->> 'kind' = v_mail.kind;

    if not found then
      -- Positions are never given twice, so neither is a key.
      perform private.add_job(
        'mail',
        'event.' || v_mail.position,
        jsonb_build_object(
          'kind', v_mail.kind,
          'recipient_id', v_mail.recipient_id,
          'notifications', v_mail.notifications
        ),
        clock_timestamp() + case
          when c_many > (
            select count(*)
              from private.jobs j
             where j.kind = 'mail'
               and j.data ->> 'recipient_id' = v_mail.recipient_id::text
               and j.created_at > now() - interval '1 day'
               and j.created_at <= clock_timestamp()::timestamptz(3) -- not while the clock ran ahead
               and j.data ->> 'kind' = v_mail.kind
          )
            then c_moment
          else c_moment_after_many
        end
      );
    end if;
  end loop;
end;
$$;

comment on function private.add_mails is
  'Adds the mails of the notifications whose events have a position after the first and up to the second.';
