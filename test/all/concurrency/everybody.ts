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

const clock = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;
const someHours = (chance: Random) => ({
  weekdays: everyDay,
  starts_at: clock(4 + chance.below(6)),
  ends_at: clock(14 + chance.below(8)),
  first_day: dayAfter(3),
  last_day: dayAfter(5),
});

/** A request, or the same as SQL. */
interface Act {
  readonly person: Person;
  readonly rest: () => Promise<string>;
  readonly sql?: readonly [text: string, values: readonly unknown[]];
}

/** What is wrong about the log and the limits, beside what contradicts itself. */
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
  select 'a person has more claims than the building allows', c.claimer_id
    from parking.claims c
   where c.status <> 'cancelled'
     and c.end_time > now()
   group by c.claimer_id
  having count(*) > 6
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

  /** The id of a row of a table, or of none. */
  const idOf = async (chance: Random, table: string, where: string, person: Person) => {
    const rows = await building.rows<{ id: string }>(
      `select id from parking.${table} where ${where} order by id`,
      [person.id],
    );
    return rows.length === 0 ? crypto.randomUUID() : chance.pick(rows).id;
  };
  const claimBy = (person: Person, chance: Random) =>
    idOf(chance, "claims", "claimer_id = $1 and status = 'active'", person);
  const set = (column: string, value: unknown) =>
    outcomeOfSql(building.rows(`update parking.building set ${column} = $1`, [value]));

  type Make = (chance: Random, person: Person, owned: (typeof spots)[number]) => Promise<Act>;
  const publishPattern: Make = async (chance, _, { owner, spot }) => {
    const body = { spot_id: spot.id, ...someHours(chance) };
    return { person: owner, rest: () => outcomeOf(owner.post("/patterns", body)) };
  };
  const changePattern: Make = async (chance, _, { owner }) => {
    const id = await idOf(chance, "patterns", "owner_id = $1", owner);
    const body = someHours(chance);
    return { person: owner, rest: () => outcomeOf(owner.put(`/patterns/${id}`, body)) };
  };
  const endPattern: Make = async (chance, _, { owner }) => {
    const id = await idOf(chance, "patterns", "owner_id = $1", owner);
    return {
      person: owner,
      rest: () => outcomeOf(owner.delete(`/patterns/${id}`)),
      sql: ["select api.delete_pattern($1)", [id]],
    };
  };
  const makeException: Make = async (chance, _, { owner, spot }) => {
    const { start_time, end_time } = someSpan(chance);
    const kind = chance.pick(["keep", "keep", "share"]);
    const spot_id = chance.below(3) ? spot.id : null;
    return {
      person: owner,
      rest: () => outcomeOf(owner.post("/exceptions", { kind, spot_id, start_time, end_time })),
      sql: ["select api.create_exception($1, $2, $3, $4)", [start_time, end_time, kind, spot_id]],
    };
  };
  const endException: Make = async (chance, _, { owner }) => {
    const id = await idOf(chance, "exceptions", "owner_id = $1", owner);
    return {
      person: owner,
      rest: () => outcomeOf(owner.delete(`/exceptions/${id}`)),
      sql: ["select api.delete_exception($1)", [id]],
    };
  };
  const claim: Make = async (chance, person) => {
    const [free] = await building.rows<{ id: string; start_time: string; end_time: string }>(
      `select id, start_time + $1 * (end_time - start_time) / 4 as start_time,
              end_time - $2 * (end_time - start_time) / 4 as end_time
         from parking.availabilities
        where not is_claimed and start_time > now() and owner_id <> $3
        order by md5(id::text || $4) limit 1`,
      [chance.below(3), chance.below(2), person.id, chance.below(1e6)],
    );
    const { id, start_time, end_time } = free ?? { id: crypto.randomUUID(), ...someSpan(chance) };
    const body = { availability_id: id, start_time, end_time };
    return {
      person,
      rest: () => outcomeOf(person.post("/claims", body)),
      sql: ["select api.create_claim($1, $2, $3)", [id, start_time, end_time]],
    };
  };
  const closeClaim: Make = async (chance, person) => {
    const id = await claimBy(person, chance);
    const status = chance.pick(["cancelled", "cancelled", "cancelled", "completed"]);
    return {
      person,
      rest: () => outcomeOf(person.put(`/claims/${id}`, { status })),
      sql: chance.below(2)
        ? ["select api.update_claim($1, status => $2)", [id, status]]
        : ["update parking.claims set status = $2 where id = $1", [id, status]],
    };
  };
  const moveClaim: Make = async (chance, person) => {
    const id = await claimBy(person, chance);
    const span = someSpan(chance);
    const change = chance.pick([span, { end_time: span.end_time }]);
    return { person, rest: () => outcomeOf(person.put(`/claims/${id}`, change)) };
  };
  const deleteClaim: Make = async (chance, person) => {
    const id = await claimBy(person, chance);
    return {
      person,
      rest: () => outcomeOf(person.delete(`/claims/${id}`)),
      sql: ["delete from parking.claims where id = $1", [id]],
    };
  };
  const changeWindow: Make = async (chance, _, { owner, spot }) => {
    const id = await idOf(chance, "availabilities", "owner_id = $1 and start_time > now()", owner);
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
  };
  const waitForSpot: Make = async (chance, person, { spot }) => {
    const span = someSpan(chance);
    const id = await idOf(chance, "wishes", "wisher_id = $1", person);
    const rest = chance.pick([
      () => person.post("/wishes", span),
      () => person.post("/wishes", { ...span, spot_id: spot.id }),
      () => person.delete(`/wishes/${id}`),
    ]);
    return { person, rest: () => outcomeOf(rest()) };
  };
  const administer: Make = async (chance, person) => {
    const flag = chance.below(2) === 0;
    const approval = { is_approved: flag };
    return {
      person: administrator,
      rest: chance.pick([
        () => outcomeOf(administrator.put(`/admin/profiles/${person.id}`, approval)),
        () => passMinutes(building, 15).then(() => "200"),
        () => set("rest_stays_on_offer", flag),
        () => set("time_zone", flag ? "UTC" : "Europe/Berlin"),
        () => set("offer_minutes", flag ? 30 : null),
      ]),
    };
  };
  const extendPatterns: Make = async (_, person) => ({ person, rest: runJob });

  const makes: readonly Make[] = [
    ...[publishPattern, changePattern, endPattern],
    ...[makeException, makeException, makeException, endException, endException],
    ...[claim, claim, claim, claim, closeClaim, closeClaim, moveClaim, deleteClaim],
    ...[changeWindow, waitForSpot, administer, extendPatterns],
  ];
  const someAct = (chance: Random): Promise<Act> => {
    const owned = chance.pick(spots);
    return chance.pick(makes)(chance, chance.pick(people), owned);
  };

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
