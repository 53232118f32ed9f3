/*
 * A building for the benchmark. The settings say how large: bench.spots, bench.past and bench.future
 * (windows of each spot, one a day), bench.claims (of each window; at most one is not cancelled) and
 * bench.claimers (how many residents made them). Each resident owns a spot. The ids are numbers, so
 * that bench/building/people.ts knows them. The last window of each spot is free.
 */
set session_replication_role = replica; -- no triggers, no foreign keys: they would take hours

insert into private.users (id, email, email_confirmed_at)
select ('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'p' || i || '@bench.example', now()
  from generate_series(1, current_setting('bench.spots')::integer) i;

-- The last one is an administrator.
insert into parking.profiles (id, email, full_name, apartment_number, is_approved, is_admin)
select u.id, u.email, 'Resident ' || u.email, '1A', true, u.email = 'p' || current_setting('bench.spots') || '@bench.example'
  from private.users u;

insert into parking.spots (id, spot_number, owner_id, building_section)
select
    ('00000000-0000-7001-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
    'S-' || lpad(i::text, 4, '0'),
    ('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
    'Section ' || i % 20
  from generate_series(1, current_setting('bench.spots')::integer) i;

/* Day 0 contains the present moment. One active or completed claim holds the window if is_held. */
create temporary table windows as
select
    ('00000000-0000-7002-8000-' || lpad(to_hex(spot), 6, '0') || lpad(to_hex(day + past), 6, '0'))::uuid as id,
    ('00000000-0000-7001-8000-' || lpad(to_hex(spot), 12, '0'))::uuid as spot_id,
    ('00000000-0000-7000-8000-' || lpad(to_hex(spot), 12, '0'))::uuid as owner_id,
    spot,
    day,
    date_trunc('hour', now()) - interval '1 hour' + make_interval(days => day) as start_time,
    date_trunc('hour', now()) + interval '9 hours' + make_interval(days => day) as end_time,
    day < future - 1 and (spot + day) % 5 <> 0 as is_held,
    least(now(), now() + make_interval(days => day - 3)) as created_at
  from (
    select
        current_setting('bench.past')::integer as past,
        current_setting('bench.future')::integer as future
  ) setting
 cross join lateral generate_series(-past, future - 1) day
 cross join generate_series(1, current_setting('bench.spots')::integer) spot;

insert into parking.availabilities
    (id, spot_id, owner_id, start_time, end_time, is_claimed, created_at, updated_at)
select w.id, w.spot_id, w.owner_id, w.start_time, w.end_time, w.is_held, w.created_at, w.created_at
  from windows w
 order by w.day, w.spot;

insert into parking.claims
    (availability_id, spot_id, owner_id, claimer_id, start_time, end_time, status, takes, created_at, updated_at)
select
    w.id,
    w.spot_id,
    w.owner_id,
    ('00000000-0000-7000-8000-' || lpad(to_hex(1 + (claimer + (claimer + 1 = w.spot)::integer) % claimers), 12, '0'))::uuid,
    w.start_time,
    w.end_time,
    case when number > 1 or not w.is_held then 'cancelled' when w.day < 0 then 'completed' else 'active' end,
    case when number = 1 and w.is_held then tstzrange(w.start_time, w.end_time) end,
    w.created_at,
    w.created_at
  from windows w
 cross join generate_series(1, current_setting('bench.claims')::integer) number
 cross join (select current_setting('bench.claimers')::integer as claimers) setting
 cross join lateral (select (w.spot * 7 + w.day * 3 + number * 5 + 100000) % claimers as claimer) chosen
 order by w.day, w.spot, number;

insert into parking.notifications (recipient_id, kind, message, claim_id, spot_id, created_at, updated_at)
select c.owner_id, kind, 'Your spot was claimed', c.id, c.spot_id, c.created_at, c.created_at
  from parking.claims c
 cross join (values ('claim.submitted'), ('claim.cancelled')) kinds (kind)
 where c.end_time > now();

drop table windows;
set session_replication_role = origin;
