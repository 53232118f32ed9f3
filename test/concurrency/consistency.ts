import { expect } from "@jest/globals";
import type { Pool } from "pg";
import type { Arena } from "../support/arena.ts";
import { freeTimes, takenTimes } from "../support/free-sql.ts";

/** What must hold after every race: there was no deadlock, and the rows are consistent. */
export async function expectConsistency(arena: Arena): Promise<void> {
  expect(await deadlocksOf(arena)).toBe(0);
  expect(await arena.rows(contradictions)).toEqual([]);
}

/** The number of deadlocks, including those after which a retry of the service succeeded. */
async function deadlocksOf({ service, superuser }: Arena): Promise<number> {
  await flushStatistics(service.pool);
  const { rows } = await superuser.query<{ deadlocks: number }>(
    "select deadlocks::integer from pg_stat_database where datname = current_database()",
  );
  return rows[0]?.deadlocks ?? Number.NaN;
}

/** An idle connection may not report its statistics for seconds. */
export async function flushStatistics(pool: Pool): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  await Promise.all(clients.map((client) => client.query("select pg_stat_force_next_flush()")));
  for (const client of clients) client.release();
}

/** Every row that contradicts another, with what is wrong about it. Rows without events pass. */
export const contradictions = `
  select 'is_claimed is wrong' as wrong, f.id
    from ${freeTimes} f
   where f.is_claimed <> (isempty(f.free) and not isempty(f.taken))
  union all
  select 'free is wrong', f.id
    from ${freeTimes} f
    join parking.availabilities a on a.id = f.id
   where f.free <> private.free_times(a)
  union all
  select 'offered outside its window', f.id
    from ${freeTimes} f
   where not f.during @> f.offered
  union all
  select 'free although its owner keeps it', f.id
    from ${freeTimes} f
    join parking.spots s on s.id = f.spot_id
    join parking.exceptions e
      on e.owner_id = s.owner_id
     and e.kind = 'keep'
     and coalesce(e.spot_id, s.id) = s.id
   where f.free && tstzrange(
     greatest(e.start_time, clock_timestamp()), greatest(e.end_time, clock_timestamp())
   )
  union all
  select 'free of a spot that is retired', f.id
    from ${freeTimes} f
    join parking.spots s on s.id = f.spot_id and s.retired_at is not null
   where f.free && tstzrange(clock_timestamp(), null)
  union all
  select 'overlaps another window of the spot', a.id
    from parking.availabilities a
    join parking.availabilities b on b.spot_id = a.spot_id and b.id > a.id
   where a.start_time < b.end_time and b.start_time < a.end_time
  union all
  select 'window without its spot', a.id
    from parking.availabilities a
    left join parking.spots s on (s.id, s.owner_id) = (a.spot_id, a.owner_id)
   where s.id is null
  union all
  select 'live claim without its window', c.id
    from parking.claims c
    left join parking.availabilities a
      on (a.id, a.spot_id, a.owner_id) = (c.availability_id, c.spot_id, c.owner_id)
   where c.status <> 'cancelled'
     and a.id is null
  union all
  select 'live claim outside its window, or outside what it takes', t.id
    from ${takenTimes} t
    join parking.availabilities a on a.id = t.availability_id
   where not a.during @> t.held
      or not t.takes @> t.held
  union all
  select 'two live claims take one time', t.id
    from ${takenTimes} t
    join ${takenTimes} o on o.spot_id = t.spot_id and o.id > t.id and o.takes && t.takes
  union all
  select 'claim by the owner', c.id
    from parking.claims c
    join parking.spots s on s.id = c.spot_id
   where c.claimer_id = s.owner_id
  union all
  select 'the log ends otherwise than the claim', e.subject_id
    from (
      select distinct on (subject_id) subject_id, type
        from private.events
       where type like 'claim.%'
       order by subject_id, id desc
    ) e
    left join parking.claims c on c.id = e.subject_id
   where case coalesce(c.status, 'deleted')
           when 'active' then e.type not in ('claim.submitted', 'claim.updated')
           else e.type <> 'claim.' || coalesce(c.status, 'deleted')
         end
  union all
  select 'settled claim with an unresolved notification of its making', n.id
    from parking.notifications n
    left join parking.claims c on c.id = n.claim_id
   where n.kind in ('claim.submitted', 'claim.completed')
     and n.resolved_at is null
     and coalesce(c.status, 'deleted') in ('cancelled', 'deleted')
  union all
  select 'profile with another address than its user', p.id
    from parking.profiles p
    join private.users u on u.id = p.id
   where u.email <> p.email`;
