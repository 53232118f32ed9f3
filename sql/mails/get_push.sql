/*
 * A lock screen shows it to anybody who holds the device, so it has neither names nor plates, reasons or codes: only
 * the facts that are named here. It is of no use once what it tells of is over, at the latest after a day.
 */
create or replace function private.get_push(job_id uuid)
  returns table (
    endpoint text,
    p256dh text,
    auth text,
    public_key text,
    private_key text,
    kind text,
    language text,
    time_zone text,
    items jsonb,
    seconds integer -- for which it is of use; not until when: the clock of the process may be another
  )
  language plpgsql
  security definer -- the API role has no access to the keys and to what is others'
  rows 1
  set search_path = ''
as $$
declare
  c_facts constant text[] := '{spot_number,is_owner,start_time,end_time,offered_from,offered_until,count}';
begin
  perform private.require_service();

  return query
  select s.endpoint,
         s.p256dh,
         s.auth,
         k.public_key,
         k.private_key,
         j.data ->> 'kind',
         r.language,
         b.time_zone,
         i.items,
         floor(extract(epoch from i.expires_at - clock_timestamp()))::integer
    from private.jobs j
    join parking.push_subscriptions s
      on s.id = (j.data ->> 'subscription_id')::uuid
    join private.recipients r
      on r.id = s.person_id
     and r.channel = 'push'
     and j.data ->> 'kind' = any (r.kinds)
   cross join private.push_key k
   cross join parking.building b
   cross join lateral (
     select jsonb_agg(
              (m.item - '{message,data}'::text[]) || jsonb_build_object(
                'data', (
                  select jsonb_object_agg(d.key, d.value)
                    from jsonb_each(m.item -> 'data') d
                   where d.key = any (c_facts)
                ),
                'claim', (
                  select jsonb_build_object(
                           'window', w.availability_id,
                           'from', private.iso8601(w.start_time),
                           'until', private.iso8601(w.end_time)
                         )
                    from parking.wishes w
                   where w.id = (m.item ->> 'id')::uuid
                     and w.availability_id is not null
                     and w.claim_id is null
                     and coalesce(w.offered_from <= clock_timestamp(), true)
                )
              )
              order by m.place
            ) as items,
            least(j.created_at + interval '1 day', min(e.over_at)) as expires_at
       from private.message_items(j.data, s.person_id, r.is_admin) o
      cross join jsonb_array_elements(o.items) with ordinality m (item, place)
      cross join lateral (
        select coalesce(
                 (m.item -> 'data' ->> 'offered_until')::timestamptz,
                 (j.data ->> 'at')::timestamptz,
                 case when j.data ->> 'kind' = 'wish.fits' then (m.item -> 'data' ->> 'end_time')::timestamptz end,
                 'infinity'
               ) as over_at
      ) e
      where e.over_at > clock_timestamp()
   ) i
   where j.id = get_push.job_id
     and j.kind = 'push'
     and j.ended_at is null
     and i.items is not null
     and i.expires_at > clock_timestamp();
end;
$$;

comment on function private.get_push is
  'To which device the push of a job goes, what signs it, and what it may say on a lock screen; no row where there is nothing to be said any more.';
grant execute on function private.get_push to parking_api;
