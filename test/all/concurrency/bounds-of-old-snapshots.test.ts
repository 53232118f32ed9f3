import { expect, it } from "@jest/globals";
import { connectionsFor } from "../../concurrency/rivals.ts";
import { type Statement, withOldSnapshotOf } from "../../concurrency/transaction.ts";
import { useArena } from "../../support/arena.ts";
import { spotOf } from "../../support/building.ts";
import { dayAfter } from "../../support/patterns.ts";
import { holdsForAll } from "../../support/table.ts";

const building = useArena(connectionsFor(2));

const SOON = "now() + interval '2 hours', now() + interval '3 hours'";

/** The rule, the most rows that it lets be, their table, and what a person inserts for each; {spot} is theirs. */
const bounds: readonly (readonly [rule: string, most: number, table: string, insert: string])[] = [
  [
    "wishes_ten_open_at_most",
    10,
    "parking.wishes",
    `insert into parking.wishes (start_time, end_time) select ${SOON}`,
  ],
  [
    "spot_reports_five_a_day_at_most",
    5,
    "parking.spot_reports",
    "insert into parking.spot_reports (spot_id) select {spot}",
  ],
  [
    "exceptions_fifty_at_most",
    50,
    "parking.exceptions",
    `insert into parking.exceptions (kind, start_time, end_time) select 'keep', ${SOON}`,
  ],
  [
    "patterns_no_more_than_200",
    200,
    "parking.patterns",
    `insert into parking.patterns (spot_id, weekdays, starts_at, ends_at, first_day)
     select {spot}, '{MO}', '08:00', '09:00', date '${dayAfter(400)}'`,
  ],
  [
    "webhooks_twenty_at_most",
    20,
    "parking.webhooks",
    `insert into parking.webhooks (url, types)
     select 'https://hooks.example.org', '{claim.submitted}'`,
  ],
  [
    "idempotency_keys_few_per_person",
    1000,
    "private.idempotency_keys",
    "select count(private.keep_answer(gen_random_uuid()::text, 'one', '{}', null))",
  ],
];

it.each([
  ["read committed", undefined],
  ["repeatable read", "40001"],
  ["serializable", "40001"],
])("a bound counts at %s what was committed after the snapshot", (level, code) =>
  holdsForAll(bounds, async ([rule, most, table, insert]) => {
    const person = await building.administrator();
    const { id } = await spotOf(person);
    const rows = (count: number): Statement => [
      `${insert.replace("{spot}", `'${id}'::uuid`)} from generate_series(1, $1::integer)`,
      [count],
    ];
    await building.rows(`delete from ${table}`);
    // One statement each: what the bound locks is there only from the first row on.
    const outcome = await withOldSnapshotOf(building, person, level, rows(1), () =>
      person.sql(...rows(most)),
    );
    const [stored] = await building.rows(`select count(*)::integer as rows from ${table}`);
    expect([outcome, stored]).toEqual([code ?? rule, { rows: most }]);
  }),
);
