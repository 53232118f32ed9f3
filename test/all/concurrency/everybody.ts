import type { Client } from "pg";
import { withClient } from "../../../src/database/client.ts";
import { outcomeOf, outcomeOfSql, type Rival, several } from "../../concurrency/rivals.ts";
import type { Arena } from "../../support/arena.ts";
import { type Spot, spotOf } from "../../support/building.ts";
import { dayAfter, everyDay } from "../../support/patterns.ts";
import type { Person } from "../../support/person.ts";
import type { Random } from "../../support/random.ts";
import { claimsOf, rolledBack, setClaims } from "../../support/sql.ts";
import { passMinutes } from "../../support/wishes.ts";

const DAYS = [3, 4, 5] as const;
const LEVELS = ["read committed", "repeatable read", "serializable"] as const;

const settings = `
  update parking.building
     set rest_stays_on_offer = true, offer_minutes = 30, pattern_days = 9;
  update parking.limits
     set most_active_claims = 6, cancellation_cutoff_minutes = 10, shortest_claim_minutes = 30,
         longest_claim_minutes = 1440, longest_window_days = 2, horizon_days = 30,
         claim_notice_minutes = 5`;

const at = (day: number, hour: number): string =>
  new Date(Date.parse(`${dayAfter(day)}T00:00:00Z`) + hour * 3_600_000).toISOString();

const someSpan = (chance: Random) => {
  const from = chance.below(18);
  const day = chance.pick(DAYS);
  return { start_time: at(day, from), end_time: at(day, from + 1 + chance.below(6)) };
};

type Table = "patterns" | "exceptions" | "claims" | "availabilities" | "wishes";
/** A request, or the same as SQL. */
interface Act {
  readonly person: Person;
  readonly rest: () => Promise<string>;
  readonly sql?: readonly [text: string, values: readonly unknown[]];
}

/** What is wrong about the log, beside what contradicts itself. */
const wrong = `
  select 'a claim is gone that nobody deleted', e.subject_id
    from private.events e
    join parking.spots s on s.id::text = e.data ->> 'spot_id'
   where e.type = 'claim.deleted'
     and e.actor_id::text <> e.data ->> 'claimer_id'
     and e.data ->> 'availability_id' <> all ($1) -- with the window
  union all
  select 'a claim is gone without a trace', e.subject_id
    from private.events e
   where e.type = 'claim.submitted'
     and not exists (select from parking.claims c where c.id = e.subject_id)
     and not exists (
       select from private.events d where d.subject_id = e.subject_id and d.type = 'claim.deleted'
     )
  union all
  select 'a notification of what no administrator did', n.id
    from parking.notifications n
   where n.kind = 'availability.deleted'
  union all
  select 'the log has another window than the table', coalesce(a.id, e.subject_id)
    from (
      select distinct on (subject_id) subject_id, type, data
        from private.events
       where type like 'availability.%'
       order by subject_id, id desc
    ) e
    full join parking.availabilities a on a.id = e.subject_id
   where (a.id is null) <> (e.type = 'availability.deleted')
      or (e.data ->> 'start_time')::timestamptz <> a.start_time
      or (e.data ->> 'end_time')::timestamptz <> a.end_time`;

/** A few spots with every setting, and people who do everything that one may do. */
export async function everybodyIn(building: Arena) {
  await building.rows(settings);
  const administrator = await building.administrator();
  let people = await several(4, () => building.resident());
  const spots: { readonly owner: Person; readonly spot: Spot }[] = [];
  for (const owner of people.slice(0, 2)) spots.push({ owner, spot: await spotOf(owner) });
  /** Windows that their owners withdrew by hand, with the cancelled claims in them. */
  const withdrawn: string[] = [];

  const idOf = async (chance: Random, table: Table, where: string, values: unknown[]) => {
    const rows = await building.rows<{ id: string }>(
      `select id from parking.${table} where ${where} order by id`,
      values,
    );
    return rows.length === 0 ? crypto.randomUUID() : chance.pick(rows).id;
  };

  async function someAct(chance: Random): Promise<Act> {
    const { owner, spot } = chance.pick(spots);
    const person = chance.pick(people);
    const hour = (n: number) => `${String(n).padStart(2, "0")}:00`;
    const pattern = () => ({
      weekdays: everyDay,
      starts_at: hour(4 + chance.below(6)),
      ends_at: hour(14 + chance.below(8)),
      first_day: dayAfter(3),
      last_day: dayAfter(5),
    });
    switch (chance.below(20)) {
      case 0: {
        const body = { spot_id: spot.id, ...pattern() };
        return { person: owner, rest: () => outcomeOf(owner.post("/patterns", body)) };
      }
      case 1: {
        const id = await idOf(chance, "patterns", "owner_id = $1", [owner.id]);
        const body = pattern();
        return { person: owner, rest: () => outcomeOf(owner.put(`/patterns/${id}`, body)) };
      }
      case 2: {
        const id = await idOf(chance, "patterns", "owner_id = $1", [owner.id]);
        return {
          person: owner,
          rest: () => outcomeOf(owner.delete(`/patterns/${id}`)),
          sql: ["select api.delete_pattern($1)", [id]],
        };
      }
      case 3:
      case 4:
      case 5: {
        const { start_time, end_time } = someSpan(chance);
        const kind = chance.pick(["keep", "keep", "share"]);
        const spot_id = chance.below(3) ? spot.id : null;
        return {
          person: owner,
          rest: () => outcomeOf(owner.post("/exceptions", { kind, spot_id, start_time, end_time })),
          sql: [
            "select api.create_exception($1, $2, $3, $4)",
            [start_time, end_time, kind, spot_id],
          ],
        };
      }
      case 6:
      case 7: {
        const id = await idOf(chance, "exceptions", "owner_id = $1", [owner.id]);
        return {
          person: owner,
          rest: () => outcomeOf(owner.delete(`/exceptions/${id}`)),
          sql: ["select api.delete_exception($1)", [id]],
        };
      }
      case 8:
      case 9:
      case 10:
      case 11: {
        const [free] = await building.rows<{ id: string; start_time: string; end_time: string }>(
          `select id, start_time + $1 * (end_time - start_time) / 4 as start_time,
                  end_time - $2 * (end_time - start_time) / 4 as end_time
             from parking.availabilities
            where not is_claimed and start_time > now() and owner_id <> $3
            order by md5(id::text || $4) limit 1`,
          [chance.below(3), chance.below(2), person.id, chance.below(1e6)],
        );
        const {
          id: availability_id,
          start_time,
          end_time,
        } = free ?? {
          id: crypto.randomUUID(),
          ...someSpan(chance),
        };
        return {
          person,
          rest: () => outcomeOf(person.post("/claims", { availability_id, start_time, end_time })),
          sql: ["select api.create_claim($1, $2, $3)", [availability_id, start_time, end_time]],
        };
      }
      case 12:
      case 13: {
        const id = await idOf(chance, "claims", "claimer_id = $1 and status = 'active'", [
          person.id,
        ]);
        const status = chance.pick(["cancelled", "cancelled", "cancelled", "completed"]);
        return {
          person,
          rest: () => outcomeOf(person.put(`/claims/${id}`, { status })),
          sql: chance.below(2)
            ? ["select api.update_claim($1, status => $2)", [id, status]]
            : ["update parking.claims set status = $2 where id = $1", [id, status]],
        };
      }
      case 14: {
        const id = await idOf(chance, "claims", "claimer_id = $1 and status = 'active'", [
          person.id,
        ]);
        const span = someSpan(chance);
        const change = chance.pick([span, { end_time: span.end_time }]);
        return { person, rest: () => outcomeOf(person.put(`/claims/${id}`, change)) };
      }
      case 15: {
        const id = await idOf(chance, "claims", "claimer_id = $1 and status = 'active'", [
          person.id,
        ]);
        return {
          person,
          rest: () => outcomeOf(person.delete(`/claims/${id}`)),
          sql: ["delete from parking.claims where id = $1", [id]],
        };
      }
      case 16: {
        const id = await idOf(chance, "availabilities", "owner_id = $1 and start_time > now()", [
          owner.id,
        ]);
        withdrawn.push(id);
        const span = someSpan(chance);
        const rest = chance.pick([
          () => owner.delete(`/availabilities/${id}`),
          () => owner.put(`/availabilities/${id}`, span),
          () => owner.post("/availabilities", { spot_id: spot.id, ...span }),
        ]);
        return {
          person: owner,
          rest: () => outcomeOf(rest()),
          sql: chance.pick([
            ["delete from parking.availabilities where id = $1", [id]],
            ["update parking.availabilities set end_time = $2 where id = $1", [id, span.end_time]],
          ] as const),
        };
      }
      case 17: {
        const span = someSpan(chance);
        const id = await idOf(chance, "wishes", "wisher_id = $1", [person.id]);
        const rest = chance.pick([
          () => person.post("/wishes", span),
          () => person.post("/wishes", { ...span, spot_id: spot.id }),
          () => person.delete(`/wishes/${id}`),
        ]);
        return { person, rest: () => outcomeOf(rest()) };
      }
      case 18: {
        const flag = chance.below(2) === 0;
        return {
          person: administrator,
          rest: chance.pick([
            () =>
              outcomeOf(administrator.put(`/admin/profiles/${person.id}`, { is_approved: flag })),
            () => passMinutes(building, 15).then(() => "200"),
            () =>
              outcomeOfSql(
                building.rows("update parking.building set rest_stays_on_offer = $1", [flag]),
              ),
            () =>
              outcomeOfSql(
                building.rows("update parking.building set time_zone = $1", [
                  flag ? "UTC" : "Europe/Berlin",
                ]),
              ),
            () =>
              outcomeOfSql(
                building.rows("update parking.building set offer_minutes = $1", [flag ? 30 : null]),
              ),
          ]),
        };
      }
      default:
        return { person, rest: runJob };
    }
  }

  /** One run of the job. */
  const runJob: Rival = () =>
    outcomeOfSql(
      withClient(building.database.url("parking_api"), async (client) => {
        const { rows } = await client.query("select * from private.due_patterns()");
        for (const { id, owner_id } of rows)
          await client.query("select private.extend_pattern($1, $2)", [id, owner_id]);
      }),
    );

  const rivalOf =
    (chance: Random, { person, rest, sql }: Act): Rival =>
    () => {
      if (!sql || chance.below(3) > 0) return rest();
      const level = chance.pick(LEVELS);
      return outcomeOfSql(
        withClient(building.database.url("parking_api"), (client: Client) =>
          rolledBack(client, async () => {
            await client.query(`set transaction isolation level ${level}`);
            await setClaims(client, claimsOf(person));
            await client.query(sql[0], [...sql[1]]);
            await client.query("commit");
          }),
        ),
      );
    };

  /** A spot or its owner goes, and others come. */
  async function renewSpot(chance: Random): Promise<void> {
    const i = chance.below(2);
    const gone = spots[i];
    if (!gone) return;
    if (chance.below(2) === 0) {
      await building.rows(
        "update parking.claims set status = 'cancelled' where spot_id = $1 and status = 'active'",
        [gone.spot.id],
      );
      await gone.owner.delete(`/parking-spots/${gone.spot.id}`, 200);
      spots[i] = { owner: gone.owner, spot: await spotOf(gone.owner) };
    } else {
      await building.rows("select private.erase_person($1)", [gone.owner.id]);
      const owner = await building.resident();
      people = people.map((it) => (it.id === gone.owner.id ? owner : it));
      spots[i] = { owner, spot: await spotOf(owner) };
    }
  }

  return {
    someRival: async (chance: Random): Promise<Rival> => rivalOf(chance, await someAct(chance)),
    contradictionsInLog: async () => (await building.superuser.query(wrong, [withdrawn])).rows,
    renewSpot,
    runJob,
    spots,
  };
}
