import { Client, DatabaseError } from "pg";
import type { Arena } from "../../support/arena.ts";
import { hours } from "../../support/building.ts";
import type { Person } from "../../support/person.ts";
import type { Random } from "../../support/random.ts";
import { claimsOf, setClaims } from "../../support/sql.ts";

/** The statements of one change at random. */
type Change = (
  chance: Random,
  person: Person,
) => readonly (readonly [text: string, values: readonly unknown[]])[];

const someWindow = (chance: Random, condition = "true"): string =>
  `(select id from parking.availabilities where ${condition}
     order by md5(id::text || '${chance.below(1e9)}') limit 1)`;
const someClaim = (chance: Random, condition = "true"): string =>
  `(select id from parking.claims where ${condition} and claimer_id = private.caller_id()
     order by md5(id::text || '${chance.below(1e9)}') limit 1)`;

/** Half hours from -2 to 32. */
const someHour = (chance: Random): number => chance.below(68) / 2 - 2;

/** The window is chosen, and its spot locked, before what it is now goes into the ledger. */
const withdrawn = (chance: Random) =>
  [
    [
      `select set_config(
         'test.window',
         coalesce(${someWindow(chance, "not is_claimed and free is null and owner_id = private.caller_id()")}, uuidv7())::text,
         true
       )`,
      [],
    ],
    ["select private.lock_spot_of_window(current_setting('test.window')::uuid)", []],
    [
      `insert into public.ledger
       select spot_id, during, -1 from parking.availabilities
        where id = current_setting('test.window')::uuid`,
      [],
    ],
  ] as const;

const publish: Change = (chance, { id }) => {
  const from = someHour(chance);
  return [
    [
      `insert into public.ledger
       select w.spot_id, w.during, 1
         from (select id from parking.spots where owner_id = $1 order by md5(id::text || $4) limit 1) s
        cross join lateral api.create_availability(s.id, $2, $3) w`,
      [id, hours(from), hours(from + 2 + chance.below(8)), chance.below(1e9)],
    ],
  ];
};
const move: Change = (chance) => [
  ...withdrawn(chance),
  [
    `insert into public.ledger
     select w.spot_id, w.during, 1
       from api.update_availability(current_setting('test.window')::uuid, end_time => $1) w`,
    [hours(someHour(chance))],
  ],
];
const withdraw: Change = (chance) => [
  ...withdrawn(chance),
  ["select api.delete_availability(current_setting('test.window')::uuid)", []],
];
/** Within what is free of the window, mostly, as it is known; another may have taken it already. */
const claim: Change = (chance) => [
  [
    `select api.create_claim(
       a.id,
       greatest(f.start_time, clock_timestamp() + interval '1 minute') + $1 * (f.end_time - f.start_time) / 10,
       f.end_time - $2 * (f.end_time - f.start_time) / 10
     )
     from parking.availabilities a
    cross join lateral (
      select *
        from jsonb_to_recordset(coalesce(a.free, jsonb_build_array(to_jsonb(a))))
          as span (start_time timestamptz, end_time timestamptz)
       order by md5(start_time::text || '${chance.below(1e9)}')
       limit 1
    ) f
    where a.id = ${someWindow(chance, chance.below(4) ? "not is_claimed" : "true")}`,
    [chance.below(4), chance.below(4)],
  ],
];
const close: Change = (chance) => [
  [
    `select api.update_claim(${someClaim(chance, "status = 'active'")}, status => $1)`,
    [chance.pick(["cancelled", "cancelled", "completed"])],
  ],
];
const shift: Change = (chance) => [
  [
    `select api.update_claim(c.id, start_time => c.start_time + $1::interval, end_time => c.end_time + $2::interval)
       from parking.claims c
      where c.id = ${someClaim(chance, "status = 'active'")}`,
    [`${chance.below(5) - 2} hours`, `${chance.below(5) - 2} hours`],
  ],
];
const remove: Change = (chance) => [
  [`select api.delete_claim(${someClaim(chance, "status <> 'completed'")})`, []],
];

/** As clients who know SQL would write them, and do not lock the spot first. */
const closeDirectly: Change = (chance) => [
  [
    `update parking.claims set status = $1 where id = ${someClaim(chance, "status = 'active'")}`,
    [chance.pick(["cancelled", "completed"])],
  ],
];
const removeDirectly: Change = (chance) => [
  [`delete from parking.claims where id = ${someClaim(chance, "status <> 'completed'")}`, []],
];

const changes: readonly Change[] = [
  ...[publish, publish, move, withdraw, close, close, close, shift, shift, remove],
  ...Array<Change>(6).fill(claim),
];
const directChanges: readonly Change[] = [...changes, closeDirectly, closeDirectly, removeDirectly];

export interface Effort {
  readonly transactions: number;
  /** Whether some change claims without the functions that lock in order. */
  readonly isDirect: boolean;
  readonly levels: readonly string[];
}

/** Changes at random, each in a transaction of its own; a refused one is left out. Returns how each ended: done, or the rule or SQLSTATE that refused it. */
export async function live(
  arena: Arena,
  people: readonly Person[],
  chance: Random,
  { transactions, isDirect, levels }: Effort,
  after: () => Promise<unknown> = () => Promise.resolve(),
): Promise<readonly string[]> {
  const outcomes: string[] = [];
  const client = new Client({ connectionString: arena.database.url("parking_api") });
  await client.connect();
  for (let i = 0; i < transactions; i++) {
    const person = chance.pick(people);
    const change = chance.pick(isDirect ? directChanges : changes);
    await client.query(`begin isolation level ${chance.pick(levels)}`);
    await setClaims(client, claimsOf(person));
    try {
      for (const [text, values] of change(chance, person)) await client.query(text, [...values]);
      await client.query(chance.below(8) === 0 ? "rollback" : "commit");
      outcomes.push("done");
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      outcomes.push(error.constraint ?? error.code ?? error.message);
      await client.query("rollback");
    }
    await after();
  }
  await client.end();
  return outcomes;
}
