import { describe, expect, it } from "@jest/globals";
import { connectionsFor } from "../../concurrency/rivals.ts";
import { type Statement, withOldSnapshotOf } from "../../concurrency/transaction.ts";
import { useArena } from "../../support/arena.ts";
import { hours, spotOf } from "../../support/building.ts";
import { dayAfter } from "../../support/patterns.ts";
import type { Person } from "../../support/person.ts";

const building = useArena(connectionsFor(2));

interface Bound {
  readonly rule: string;
  readonly most: number;
  readonly table: string;
  /** Who inserts the rows, and a statement that inserts so many. */
  readonly begin: () => Promise<readonly [Person, (count: number) => Statement]>;
}

const bounds: readonly Bound[] = [
  {
    rule: "wishes_ten_open_at_most",
    most: 10,
    table: "parking.wishes",
    begin: async () => [
      await building.resident(),
      (count) => [
        `insert into parking.wishes (start_time, end_time)
         select $1::timestamptz, $2 from generate_series(1, $3::integer)`,
        [hours(2), hours(3), count],
      ],
    ],
  },
  {
    rule: "spot_reports_five_a_day_at_most",
    most: 5,
    table: "parking.spot_reports",
    begin: async () => {
      const owner = await building.resident();
      const { id } = await spotOf(owner);
      return [
        owner,
        (count) => [
          "insert into parking.spot_reports (spot_id) select $1 from generate_series(1, $2::integer)",
          [id, count],
        ],
      ];
    },
  },
  {
    rule: "exceptions_fifty_at_most",
    most: 50,
    table: "parking.exceptions",
    begin: async () => {
      const owner = await building.resident();
      return [
        owner,
        (count) => [
          `insert into parking.exceptions (owner_id, start_time, end_time, kind)
           select $1, $2::timestamptz, $3, 'keep' from generate_series(1, $4::integer)`,
          [owner.id, hours(2), hours(3), count],
        ],
      ];
    },
  },
  {
    rule: "patterns_no_more_than_200",
    most: 200,
    table: "parking.patterns",
    begin: async () => {
      const owner = await building.resident();
      const { id } = await spotOf(owner);
      return [
        owner,
        (count) => [
          `insert into parking.patterns (spot_id, owner_id, weekdays, starts_at, ends_at, first_day)
           select $1, $2, '{MO}', '08:00', '09:00', $3::date from generate_series(1, $4::integer)`,
          [id, owner.id, dayAfter(400), count],
        ],
      ];
    },
  },
  {
    rule: "webhooks_twenty_at_most",
    most: 20,
    table: "parking.webhooks",
    begin: async () => [
      await building.administrator(),
      (count) => [
        `insert into parking.webhooks (url, types)
         select 'https://hooks.example.org', '{claim.submitted}' from generate_series(1, $1::integer)`,
        [count],
      ],
    ],
  },
  {
    rule: "idempotency_keys_few_per_person",
    most: 1000,
    table: "private.idempotency_keys",
    begin: async () => [
      await building.resident(),
      (count) => [
        `select count(private.keep_answer(gen_random_uuid()::text, 'one', '{}', null))
           from generate_series(1, $1::integer)`,
        [count],
      ],
    ],
  },
];

describe.each(bounds)("$rule", ({ rule, most, table, begin }) => {
  it.each([
    ["read committed", rule],
    ["repeatable read", "40001"],
    ["serializable", "40001"],
  ])("counts at %s what was committed after the snapshot", async (level, refused) => {
    await building.rows(`delete from ${table}`);
    const [person, insert] = await begin();
    // One statement each: what the bound locks is there only from the first row on.
    const outcome = await withOldSnapshotOf(building, person, level, insert(1), () =>
      person.sql(...insert(most)),
    );
    const [held] = await building.rows(`select count(*)::integer as rows from ${table}`);
    expect([outcome, held]).toEqual([refused, { rows: most }]);
  });
});
