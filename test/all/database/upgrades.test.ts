import { beforeAll, describe, expect, it } from "@jest/globals";
import type { QueryResultRow } from "pg";
import { withClient } from "../../../src/database/client.ts";
import { listSchema } from "../../../src/migrations/schema-listing.ts";
import { contradictions } from "../../concurrency/consistency.ts";
import { cloneDatabase, type TestDatabase, useDatabase } from "../../support/database.ts";
import { databaseAfter, upgrade } from "./versions.ts";

// The numbers of the last migrations of 1.0.0 and 1.1.0.
const FIRST = 1;
const NEWEST = 2;

const PEOPLE = ["root", "ada", "bob", "eve", "gone", "away", "new"] as const;
type Person = (typeof PEOPLE)[number];
const idOf = (person: Person): string =>
  `00000000-0000-4000-8000-00000000000${PEOPLE.indexOf(person)}`;

const at = (hour: number): string => `(date_trunc('day', now()) + interval '${72 + hour} hours')`;
const spot = (number: string): string =>
  `(select id from parking.spots where spot_number = '${number}')`;
const window = (number: string): string =>
  `(select id from parking.availabilities where spot_id = ${spot(number)})`;
const claimOf = (person: Person, number: string): string =>
  `(select id from parking.claims
     where (claimer_id, status, spot_id) = ('${idOf(person)}', 'active', ${spot(number)}))`;

/** What people do and read in a building, whichever version its database has. */
function building(database: TestDatabase) {
  const query = <Row extends QueryResultRow = QueryResultRow>(
    sql: string,
    role: Parameters<TestDatabase["url"]>[0] = "parking_owner",
  ) =>
    withClient(database.url(role), async (client) => {
      const results = [await client.query<Row>(sql)].flat();
      return results.at(-1)?.rows ?? [];
    });
  const as = (person: Person, sql: string) => {
    const claims = JSON.stringify({ sub: idOf(person), email: `${person}@example.org` });
    const caller = `select set_config('request.jwt.claims', '${claims}', true)`;
    return query(`begin; ${caller}; ${sql}; commit`, "parking_api");
  };
  return {
    query,
    as,
    offer: (person: Person, number: string, from = 8, to = 18) =>
      as(person, `select api.create_availability(${spot(number)}, ${at(from)}, ${at(to)})`),
    claim: (person: Person, number: string, from = 8, to = 18) =>
      as(person, `select api.create_claim(${window(number)}, ${at(from)}, ${at(to)})`),
    close: (person: Person, number: string, status: "cancelled" | "completed") =>
      as(person, `select api.update_claim(${claimOf(person, number)}, '${status}')`),
    /** What is free of each spot, but for windows that are over. */
    free: (spans: string) =>
      query<{ spot_number: string; free: string }>(`
        select s.spot_number, range_agg(f.span)::text as free
          from parking.spots s
          join private.users u on u.id = s.owner_id and u.erased_at is null
          join parking.availabilities a on a.spot_id = s.id
         cross join lateral (${spans}) f (span)
         where a.end_time > now()
         group by s.id
         order by s.spot_number`),
    /** What rows say that stay as they are. An erased person's windows do not. */
    rows: async () => ({
      claims: await query(`
        select id, availability_id, claimer_id, start_time, end_time, status, created_at, updated_at
          from parking.claims order by id`),
      windows: await query(`
        select a.id, a.spot_id, a.start_time, a.end_time, a.is_claimed, a.updated_at
          from parking.availabilities a
          join private.users u on u.id = a.owner_id and u.erased_at is null
         order by a.id`),
      notifications: await query(
        "select id, kind, message, resolved_at from parking.notifications order by id",
      ),
      profiles: await query(
        "select id, email, is_approved, is_admin, updated_at from parking.profiles order by id",
      ),
      spots: await query("select id, spot_number, updated_at from parking.spots order by id"),
    }),
    events: () => query("select id, type, subject_id, data from private.events order by id"),
  };
}

const LIMITS = {
  longest_window_days: 30,
  horizon_days: 90,
  shortest_claim_minutes: 20,
  longest_claim_minutes: 600,
  claim_notice_minutes: 10,
  cancellation_cutoff_minutes: 5,
  most_active_claims: 50,
};
const SPOTS = ["free", "twice", "half", "freed", "running", "in part", "taken again"];

/** A building of a release, made by its own functions. */
async function fill({ query, as, offer, claim, close }: ReturnType<typeof building>) {
  for (const person of PEOPLE) await as(person, `select api.create_profile('1', 'A ${person}')`);
  await query(`update parking.profiles
                  set is_approved = true, is_admin = id = '${idOf("root")}'
                where id <> '${idOf("new")}'`);
  const limits = Object.entries(LIMITS).map(([name, value]) => `${name} => ${value}`);
  await as("root", `select api.update_building('Linden Court', 'Europe/Berlin', ${limits})`);
  const past = ["past free", "past claimed", "past completed", "past cancelled"];
  for (const number of [...SPOTS, "completed", "by admin", "deleted", ...past])
    await as("ada", `select api.create_spot('${number}', 'North')`);
  for (const number of ["left", "left claimed", "left running"])
    await as("gone", `select api.create_spot('${number}', 'South')`);
  await as("away", `select api.create_spot('suspended', 'South')`);

  for (const number of ["free", "freed", "running", "in part", "taken again", ...past])
    await offer("ada", number);
  for (const number of ["completed", "by admin", "deleted"]) await offer("ada", number);
  await offer("ada", "half", 8, 12);
  await claim("bob", "half", 8, 10);
  await offer("ada", "half", 12, 18);
  await offer("ada", "twice", 8, 10);
  await offer("ada", "twice", 12, 18);

  await claim("bob", "in part", 10, 12);
  await claim("bob", "freed");
  await close("bob", "freed", "cancelled");
  await claim("bob", "taken again");
  await close("bob", "taken again", "cancelled");
  await claim("eve", "taken again", 9, 10);
  await claim("eve", "completed");
  await close("eve", "completed", "completed");
  await claim("eve", "by admin");
  await as("root", `select api.cancel_claim(${claimOf("eve", "by admin")}, 'cancelled', 'A pipe')`);
  await claim("eve", "deleted");
  await as("eve", `select api.delete_claim(${claimOf("eve", "deleted")})`);
  await claim("bob", "past claimed", 9, 10);
  await claim("bob", "past completed");
  await close("bob", "past completed", "completed");
  await claim("bob", "past cancelled");
  await close("bob", "past cancelled", "cancelled");

  await offer("away", "suspended");
  await claim("bob", "suspended");
  await as("root", `select api.update_profile_flags('${idOf("away")}', false)`);
}

/** What only the owner of the database can say: the past, the present, and who was erased. */
async function fillPast({ query, as, offer, claim, close }: ReturnType<typeof building>) {
  for (const number of ["left", "left claimed", "left running"]) await offer("gone", number);
  for (const number of ["left", "left running"]) {
    await claim("bob", number);
    await close("bob", number, "cancelled");
  }
  await claim("bob", "left claimed", 9, 10);
  await close("bob", "left claimed", "completed");

  const back = (by: string, numbers: string) =>
    ["availabilities", "claims"]
      .map(
        (table) => `update parking.${table} t
                       set start_time = t.start_time - interval '${by}',
                           end_time = t.end_time - interval '${by}'
                      from parking.spots s
                     where s.id = t.spot_id and s.spot_number ${numbers};`,
      )
      .join("");
  // What is of a spot "past …" is 30 days ago.
  await query(
    `set session_replication_role = replica;
     ${back("30 days", "like 'past %'")}
     update parking.availabilities a
        set start_time = now() - interval '2 hours', end_time = now() + interval '8 hours'
       from parking.spots s
      where s.id = a.spot_id and s.spot_number like '%running';
     select private.recount()`,
    "postgres",
  );
  await as("root", `select api.erase_profile('${idOf("gone")}', 'Moved out')`);
}

/** Fails where an upgraded database has another form, or other settings, than one that is made today. */
async function isLikeNew(upgraded: TestDatabase): Promise<void> {
  const fresh = await cloneDatabase("template1");
  await upgrade(fresh.url("parking_owner"));
  const describedBy = async (database: TestDatabase) => ({
    schema: await withClient(database.url("parking_owner"), listSchema),
    columns: await building(database).query(`
      select a.attrelid::regclass::text as table,
             array_agg(a.attname::text order by a.attnum) as columns
        from pg_attribute a
        join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
       where a.attnum > 0
         and not a.attisdropped
         and c.relnamespace::regnamespace::text in ('parking', 'private')
       group by a.attrelid
       order by 1`),
    settings: await building(database).query(`
      select to_jsonb(b) - '{id, name, time_zone, created_at, updated_at}'::text[] as settings
        from parking.building b`),
  });
  expect(await describedBy(upgraded)).toEqual(await describedBy(fresh));
  await fresh.drop();
}

describe("a building of 1.0.0", () => {
  const upgraded = useDatabase("template1");
  const { query, as, offer, claim, close, free, rows, events } = building(upgraded);
  const before = {} as Record<"free" | "rows" | "events", unknown>;
  beforeAll(async () => {
    await databaseAfter(upgraded.url("parking_owner"), FIRST);
    await fill(building(upgraded));
    await fillPast(building(upgraded));
    before.free = await free("select a.during where not a.is_claimed");
    before.rows = await rows();
    before.events = await events();
    await upgrade(upgraded.url("parking_owner"));
  });

  it("is afterwards what a new one is", async () => {
    await isLikeNew(upgraded);
  });

  it("has on offer what was on offer, and every claim, window, message and event", async () => {
    expect(before.free).toHaveLength(7);
    expect(await free("select unnest(private.free_times(a))")).toEqual(before.free);
    expect(await rows()).toEqual(before.rows);
    expect(await events()).toEqual(expect.arrayContaining(before.events as unknown[]));
  });

  it("contradicts itself nowhere, and its counts are exact", async () => {
    expect(await query(contradictions)).toEqual([]);
    expect(await query("table private.count_drifts")).toEqual([]);
  });

  it("keeps its limits", async () => {
    const limits =
      "select to_jsonb(l) - '{created_at, updated_at}'::text[] as limits from parking.limits l";
    expect(await query(limits)).toEqual([{ limits: { building_section: null, ...LIMITS } }]);
  });

  it("knows who cancelled, and who was suspended", async () => {
    expect(
      await query(`select s.spot_number, c.cancelled_by
                     from parking.claims c
                     join parking.spots s on s.id = c.spot_id
                    where c.cancelled_by is not null
                    order by 1`),
    ).toEqual([
      { spot_number: "by admin", cancelled_by: idOf("root") },
      ...["freed", "left", "left running", "past cancelled", "taken again"].map((spot_number) => ({
        spot_number,
        cancelled_by: idOf("bob"),
      })),
    ]);
    const suspended = await query("select id from parking.profiles where is_suspended order by id");
    expect(suspended.map(({ id }) => id)).toEqual([idOf("gone"), idOf("away")]);
  });

  it("has removed the spots of who was erased, with what was to come", async () => {
    expect(
      await query(`select s.spot_number, s.retired_at = u.erased_at as is_retired,
                          a.end_time <= u.erased_at as has_ended, a.is_claimed, count(c.id)::integer as claims
                     from parking.spots s
                     join private.users u on u.id = s.owner_id and u.erased_at is not null
                     left join parking.availabilities a on a.spot_id = s.id
                     left join parking.claims c on c.spot_id = s.id
                    group by s.id, u.id, a.id
                    order by 1`),
    ).toEqual([
      { spot_number: "left", is_retired: true, has_ended: null, is_claimed: null, claims: 1 },
      {
        spot_number: "left claimed",
        is_retired: true,
        has_ended: false,
        is_claimed: true,
        claims: 1,
      },
      {
        spot_number: "left running",
        is_retired: true,
        has_ended: true,
        is_claimed: false,
        claims: 1,
      },
    ]);
    await as("ada", "select api.create_spot('left', 'North')");
  });

  it("goes on", async () => {
    await close("eve", "taken again", "cancelled");
    await query("update parking.building set rest_stays_on_offer = true");
    await claim("bob", "taken again", 12, 14);
    await close("bob", "in part", "completed");
    await claim("eve", "free", 8, 10);
    await as("ada", `select api.delete_availability(${window("freed")})`);
    await offer("ada", "freed", 20, 22);
    const spans = await free("select unnest(private.free_times(a))");
    expect(spans.map((it) => [it.spot_number, it.free.split(",").length / 2])).toEqual(
      expect.arrayContaining([
        ["taken again", 2],
        ["free", 1],
        ["freed", 1],
      ]),
    );
    await query("select private.order_events()", "parking_api");
    expect(await query(contradictions)).toEqual([]);
    expect(await query("table private.count_drifts")).toEqual([]);
  });
});

describe("a building of 1.0.0 with a rule of its own", () => {
  it("is refused, until its migration has made room for that of the release", async () => {
    const own = await cloneDatabase("template1");
    const owner = own.url("parking_owner");
    const { query } = building(own);
    await databaseAfter(owner, FIRST);
    await query(`
      create function private.enforce_own() returns trigger language plpgsql
        as 'begin perform private.refuse(tg_name); return null; end';
      create trigger claims_as_we_like after insert on parking.claims
        for each row execute function private.enforce_own()`);
    await query(`insert into graphile_migrate.migrations (hash, previous_hash, filename)
                 select 'sha1:own', m.hash, '000002.sql' from graphile_migrate.migrations m`);
    await expect(upgrade(owner)).rejects.toThrow("This database ran another form of");
    await query("delete from graphile_migrate.migrations where filename > '000001.sql'");
    await upgrade(owner);
    expect(await query("select from pg_trigger where tgname = 'claims_as_we_like'")).toHaveLength(
      1,
    );
    await own.drop();
  });
});

describe("a building of 1.1.0", () => {
  const upgraded = useDatabase("template1");
  const { query, as, claim, rows, events, free } = building(upgraded);

  it("keeps all that it has, and is afterwards what a new one is", async () => {
    await databaseAfter(upgraded.url("parking_owner"), NEWEST);
    await fill(building(upgraded));
    await as("ada", `select api.update_preferences('{claim.starts}', 'de', 60)`);
    const all = async () => ({
      rows: await rows(),
      events: await events(),
      free: await free("select unnest(private.free_times(a))"),
      preferences: await query("select person_id, mail, language from parking.preferences"),
    });
    const before = await all();
    await upgrade(upgraded.url("parking_owner"));

    expect(await all()).toEqual(before);
    await isLikeNew(upgraded);
    expect(await query(contradictions)).toEqual([]);
    expect(await query("table private.count_drifts")).toEqual([]);
    await claim("eve", "free", 8, 10);
  });
});
