-- A building with 2,000 spots, 200,000 windows and a claim on almost each. For bench/graphql-plans.ts.
set session_replication_role = replica; -- no triggers, no foreign keys: rules are not what is measured

insert into private.users (id, email)
select ('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'p' || i || '@bench.example'
  from generate_series(1, 2000) i;

-- The first one is the administrator.
insert into parking.profiles (id, email, apartment_number, is_approved, is_admin)
select u.id, u.email, '1A', true, u.email = 'p1@bench.example'
  from private.users u;

insert into parking.spots (spot_number, owner_id, building_section)
select 'S-' || right(p.id::text, 4), p.id, 'Section ' || abs(hashtext(p.id::text)) % 20
  from parking.profiles p;

insert into parking.availabilities (spot_id, owner_id, start_time, end_time, is_claimed)
select s.id, s.owner_id, now() + make_interval(hours => 5 * n), now() + make_interval(hours => 5 * n + 4), n % 10 > 0
  from parking.spots s, generate_series(1, 100) n;

insert into parking.claims (availability_id, spot_id, owner_id, claimer_id, start_time, end_time, status)
select a.id, a.spot_id, a.owner_id, claimer.id, a.start_time, a.end_time,
       (array['active', 'completed', 'cancelled'])[1 + abs(hashtext(a.id::text)) % 3]
  from parking.availabilities a
 cross join lateral (
   select ('00000000-0000-7000-8000-' || lpad(to_hex(1 + abs(hashtext(a.id::text)) % 2000), 12, '0'))::uuid as id
 ) claimer
 where claimer.id <> a.owner_id;

insert into parking.notifications (recipient_id, kind, message, claim_id)
select c.owner_id, 'claim.submitted', 'Your spot was claimed', c.id
  from parking.claims c;

analyze;
