/* The past of the demo building. It runs after demo-building.sql, in the same transaction. */

/* Triggers refuse rows of the past, and their effects belong to the present. So none runs here. */
set local role none;
set local session_replication_role = replica;

insert into parking.availabilities (spot_id, owner_id, start_time, end_time, created_at, updated_at)
select w.spot_id, w.owner_id, w.start_time, w.end_time, made.at, made.at
  from pg_temp.shared_window w
 cross join lateral (select w.start_time - interval '5 days' as at) made
 where w.start_time <= pg_temp.present();

/* The people who have parked there, more in the north than elsewhere. Some cancelled, some park now. */
with residents as (
  select p.id, row_number() over (order by p.id) as number, count(*) over () as total
    from parking.profiles p
   where p.is_approved
     and not p.is_admin
)
insert into parking.claims (
  availability_id, spot_id, owner_id, claimer_id,
  start_time, end_time, takes, vehicle, guest, status, created_at, updated_at
)
select a.id, a.spot_id, a.owner_id, r.id,
       c.start_time, c.end_time,
       case when c.status <> 'cancelled' then tstzrange(c.start_time, c.end_time) end,
       case
         when chance.n % 3 > 0
           then format('B-%s %s', translate((chance.n % 90 + 10)::text, '0123456789', 'ACEHKLMPSX'),
                       100 + chance.n % 900)
       end,
       case when chance.n % 5 = 0 then 'Dr. Emre Yıldız' end,
       c.status,
       c.created_at, c.created_at
  from parking.availabilities a
  join parking.spots s on s.id = a.spot_id
 cross join lateral (
   select pg_temp.chance_of(s.spot_number || a.start_time) as n
 ) chance
  join residents r on r.number = 1 + chance.n / 100 % r.total and r.id <> a.owner_id
 cross join lateral (
   select a.start_time + chance.n % 3 * interval '30 minutes' as start_time,
          a.end_time - chance.n % 4 * interval '1 hour' as end_time,
          case
            when a.end_time - chance.n % 4 * interval '1 hour' > pg_temp.present() then 'active'
            when chance.n % 9 = 0 then 'cancelled'
            else 'completed'
          end as status,
          a.start_time - (1 + chance.n % 90) * interval '1 hour' as created_at
 ) c
 where c.start_time <= pg_temp.present()
   and chance.n % 100 < case left(s.spot_number, 1) when 'A' then 85 when 'B' then 65 else 45 end;

-- People who parked left the rest of the window on offer.
select private.set_free(array(
  select a from parking.availabilities a where a.start_time <= pg_temp.present()
));

set local session_replication_role = origin;
select private.recount();
