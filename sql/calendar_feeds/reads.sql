create or replace function api.get_calendar_feed()
  returns table (language text, created_at timestamptz)
  language sql
  stable
  rows 1
as $$
  select f.language, f.created_at
    from parking.calendar_feeds f
$$;

comment on function api.get_calendar_feed is
  'Your calendar feed without its address, which only its POST shows; null where you have none';
grant execute on function api.get_calendar_feed to parking_api;

/* A calendar app reads all of it again and again, so it has an end. */
create or replace function api.get_calendar(claim_id uuid default null)
  returns table (
    id uuid,
    is_own boolean,
    start_time timestamptz,
    end_time timestamptz,
    status text,
    created_at timestamptz,
    updated_at timestamptz,
    spot_number text,
    building_section text,
    full_name text,
    apartment_number text
  )
  language sql
  stable
  rows 50
as $$
  select c.id,
         c.claimer_id = (select private.caller_id()),
         c.start_time,
         c.end_time,
         c.status,
         c.created_at,
         greatest(c.updated_at, s.updated_at),
         s.spot_number,
         s.building_section,
         k.full_name,
         k.apartment_number
    from (
      select p.*
        from (
          select m.* from api.list_claims('made') m
          union all
          select r.* from api.list_claims('received') r
        ) p
       where case
               when get_calendar.claim_id is not null then
                 p.id = get_calendar.claim_id
               else
                 p.end_time > now() - interval '90 days'
                 and p.start_time > now() - interval '1 year' -- an index has it
                 and (p.status <> 'cancelled' or p.updated_at > now() - interval '30 days')
             end
       -- If there is no room for all, claims that are over are left out first, then the furthest ones.
       order by p.end_time <= now(), abs(extract(epoch from p.start_time - now()))
       limit 1000
    ) c
    join parking.spots s on s.id = c.spot_id
    -- With the offset it is asked for each claim by itself. The planner would else join the contacts of
    -- all claims that the person has ever had.
    left join lateral (select k.* from api.get_claim_contacts(c.id) k offset 0) k on true
   order by c.start_time, c.id
$$;

comment on function api.get_calendar is
  'Your calendar: the claims you made and those on your spots, from 90 days ago on, cancelled ones for 30 days';
grant execute on function api.get_calendar to parking_api;
