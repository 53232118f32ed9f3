import { beforeEach, describe, expect, it } from "@jest/globals";
import { connectionsFor } from "../concurrency/rivals.ts";
import { withOldSnapshotOf } from "../concurrency/transaction.ts";
import { useArena } from "../support/arena.ts";
import { hours, spotOf } from "../support/building.ts";
import * as doors from "../support/doors.ts";
import { dayAfter } from "../support/patterns.ts";
import type { Person } from "../support/person.ts";
import { newSubscription } from "../support/push-service.ts";
import { writePastRules } from "../support/rows.ts";
import { behind } from "../support/waiting.ts";
import { refusedBy, type Statement } from "./support.ts";

const building = useArena(connectionsFor(2));
const ended = doors.doorsOf(building);
const other = building.shared("administrator");
let person: Person;
let spot: string;
beforeEach(async () => {
  person = await building.administrator();
  spot = (await spotOf(person)).id;
});

interface Bound {
  readonly rule: string;
  readonly most: number;
  readonly table: string;
  /** What a person inserts, $1 rows of it; {spot} is theirs. */
  readonly insert: string;
  /** One more as a request. */
  readonly request?: () => doors.BothWays["request"];
  /** Changes after which no row of the table counts any more. */
  readonly over?: readonly string[];
  /** Where the rows of all people count together. */
  readonly isOfBuilding?: true;
}

const times = { start_time: hours(2), end_time: hours(3) };
const SOON = `timestamptz '${times.start_time}', timestamptz '${times.end_time}'`;
const yearAhead = { weekdays: ["MO"], starts_at: "08:00", ends_at: "09:00" };
const hook = { url: "https://hooks.example.org", types: ["claim.submitted"] };
const { p256dh, auth } = newSubscription();

const bounds: readonly Bound[] = [
  {
    rule: "wishes_ten_open_at_most",
    most: 10,
    table: "parking.wishes",
    insert: `insert into parking.wishes (start_time, end_time)
             select ${SOON} from generate_series(1, $1::integer)`,
    request: () => ["POST", "/wishes", times],
    over: ["set claim_id = id", "set start_time = now() - interval '1 hour'"],
  },
  {
    rule: "spot_reports_five_a_day_at_most",
    most: 5,
    table: "parking.spot_reports",
    insert:
      "insert into parking.spot_reports (spot_id) select {spot} from generate_series(1, $1::integer)",
    request: () => ["POST", "/spot-reports", { spot_id: spot }],
    over: [
      "set created_at = created_at - interval '25 hours'",
      "set created_at = created_at + interval '400 days'", // by a clock that ran ahead
    ],
  },
  {
    rule: "exceptions_fifty_at_most",
    most: 50,
    table: "parking.exceptions",
    insert: `insert into parking.exceptions (kind, start_time, end_time)
             select 'keep', ${SOON} from generate_series(1, $1::integer)`,
    request: () => ["POST", "/exceptions", { kind: "keep", ...times }],
    over: ["set start_time = now() - interval '2 hours', end_time = now()"],
  },
  {
    rule: "patterns_no_more_than_200",
    most: 200,
    table: "parking.patterns",
    insert: `insert into parking.patterns (spot_id, weekdays, starts_at, ends_at, first_day)
             select {spot}, '{MO}', '08:00', '09:00', date '${dayAfter(400)}'
               from generate_series(1, $1::integer)`,
    request: () => ["POST", "/patterns", { spot_id: spot, ...yearAhead, first_day: dayAfter(400) }],
  },
  {
    rule: "favorite_spots_100_at_most",
    most: 100,
    table: "parking.favorite_spots",
    insert: `with made as (
               insert into parking.spots (spot_number, building_section)
               select left(gen_random_uuid()::text, 32), 'North'
                 from generate_series(1, $1::integer)
               returning id
             )
             insert into parking.favorite_spots (spot_id) select id from made`,
    request: () => ["POST", "/favorite-spots", { spot_id: spot }],
  },
  {
    rule: "push_subscriptions_ten_at_most",
    most: 10,
    table: "parking.push_subscriptions",
    insert: `insert into parking.push_subscriptions (endpoint, p256dh, auth)
             select 'https://push.example.net/' || gen_random_uuid(), '${p256dh}', '${auth}'
               from generate_series(1, $1::integer)`,
    request: () => ["POST", "/push-subscriptions", newSubscription()],
  },
  {
    rule: "webhooks_twenty_at_most",
    most: 20,
    table: "parking.webhooks",
    insert: `insert into parking.webhooks (url, types)
             select '${hook.url}', '{${hook.types}}' from generate_series(1, $1::integer)`,
    request: () => ["POST", "/admin/webhooks", hook],
    isOfBuilding: true,
  },
  {
    rule: "keys_twenty_at_most",
    most: 20,
    table: "parking.keys",
    insert: `insert into parking.keys (name, scopes, expires_at, secret_hash)
             select 'x', '{gate}', now() + interval '1 day', sha256(uuid_send(gen_random_uuid()))
               from generate_series(1, $1::integer)`,
    request: () => ["POST", "/admin/keys", { name: "x", scopes: ["gate"], expires_at: hours(1) }],
    isOfBuilding: true,
  },
  {
    rule: "idempotency_keys_few_per_person",
    most: 1_000,
    table: "private.idempotency_keys",
    insert: `select count(private.keep_answer(gen_random_uuid()::text, 'one', '{}', null))
               from generate_series(1, $1::integer)`,
    over: [
      "set expires_at = now() - interval '1 ms'",
      "set expires_at = expires_at + interval '2 hours'", // by a clock that ran ahead
    ],
  },
];

describe.each(bounds)("$rule", ({ rule, most, table, insert, request, over, isOfBuilding }) => {
  const rows = (count: number): Statement => [insert.replace("{spot}", `'${spot}'::uuid`), [count]];
  beforeEach(() => building.rows(`delete from ${table}`));

  it("refuses one more, also of one statement, and nobody else's", async () => {
    expect(await ended(person, { sql: rows(most + 1) })).toBe(rule);
    await person.sql(...rows(most));
    const more = request?.();
    expect(await ended(person, { sql: rows(1), ...(more && { request: more }) })).toBe(rule);
    spot = (await spotOf(other)).id;
    expect(await ended(other, { sql: rows(1) })).toBe(isOfBuilding ? rule : "done");
  });

  it("counts what another transaction is about to commit", async () => {
    await person.sql(...rows(most - 1));
    const second = await behind(building, person, rows(1), () => person.sqlError(...rows(1)));
    expect(second).toMatchObject(refusedBy(rule));
  });

  it.each([
    ["read committed", rule],
    ["repeatable read", "40001"],
    ["serializable", "40001"],
  ])("counts at %s what was committed after the snapshot", async (level, outcome) => {
    const meanwhile = () => person.sql(...rows(most));
    // One statement: what the rule locks is there only from the first row on.
    expect(await withOldSnapshotOf(building, person, level, rows(1), meanwhile)).toBe(outcome);
  });

  for (const change of over ?? [])
    it(`counts none after ${change}`, async () => {
      await person.sql(...rows(most));
      await writePastRules(building, `update ${table} ${change}`, []);
      expect(await ended(person, { sql: rows(1) })).toBe("done");
    });
});
