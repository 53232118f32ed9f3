import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { DatabaseError } from "pg";
import {
  type Building,
  type Claim,
  claimOf,
  hours,
  openBuilding,
  type Spot,
  spotOf,
  type Window,
  windowOf,
} from "../support/building.ts";
import type { Person } from "../support/person.ts";
import {
  insertClaim,
  insertSpot,
  insertWindow,
  moveClaim,
  moveWindow,
  run,
  type Statement,
  setStatus,
  tryWithClaims,
} from "./support.ts";

/** In the order of the tables' columns. `suspended` did what a resident does, then lost approval. */
const actors = [
  "nobody",
  "newcomer",
  "suspended",
  "stranger",
  "claimer",
  "owner",
  "administrator",
] as const;
type Actor = (typeof actors)[number];

let building: Building;
let people: Readonly<Record<Exclude<Actor, "nobody">, Person>>;
let spot: Spot;
let freeWindow: Window;
let claim: Claim;
/** What the tables call a row, by its id. */
const names = new Map<string, string>();

beforeAll(async () => {
  building = await openBuilding();
  const newcomer = await building.newcomer();
  const suspended = await building.resident();
  const stranger = await building.resident();
  const claimer = await building.resident();
  const owner = await building.resident();
  const administrator = await building.administrator();
  people = { newcomer, suspended, stranger, claimer, owner, administrator };

  spot = await spotOf(owner);
  const suspendedsSpot = await spotOf(suspended);
  const window1 = await windowOf(owner, spot, 1, 5);
  const window2 = await windowOf(owner, spot, 5, 9);
  freeWindow = await windowOf(owner, spot, 9, 13);
  const suspendedsWindow = await windowOf(suspended, suspendedsSpot, 1, 5);
  claim = await claimOf(claimer, window1);
  const suspendedsClaim = await claimOf(suspended, window2);
  const claimOnSuspendeds = await claimOf(claimer, suspendedsWindow);
  await building.rows("update parking.profiles set is_approved = false where id = $1", [
    suspended.id,
  ]);

  for (const [name, { id }] of Object.entries({
    ...people,
    S1: spot,
    S2: suspendedsSpot,
    W1: window1,
    W2: window2,
    W3: freeWindow,
    W4: suspendedsWindow,
    C1: claim,
    C2: suspendedsClaim,
    C3: claimOnSuspendeds,
  })) {
    names.set(id, name);
  }
});
afterAll(() => building.close());

/** What each actor gets of a statement of which nothing stays. */
async function outcomes(
  statement: Statement,
  outcomeOf: (rows: readonly { readonly id: string }[]) => string,
): Promise<Readonly<Record<string, string>>> {
  const entries = actors.map(async (actor) => {
    const claims = actor === "nobody" ? "" : JSON.stringify({ sub: people[actor].id });
    const outcome = tryWithClaims(building, claims, (api) => run(api, statement)).then(
      ({ rows }) => outcomeOf(rows),
      reasonOf,
    );
    return [actor, await outcome] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** The rule that refused; without one, the SQLSTATE. */
function reasonOf(error: unknown): string {
  if (!(error instanceof DatabaseError)) throw error;
  const policy = /policy "(\w+)"/.exec(error.message)?.[1];
  return error.constraint ?? policy ?? `${error.code}`;
}

const byActor = (columns: readonly string[]) =>
  Object.fromEntries(actors.map((actor, column) => [actor, columns[column]]));

describe("who sees", () => {
  const all = "administrator claimer owner stranger suspended";

  it.each([
    //         nobody, newcomer, suspended, stranger, claimer, owner, administrator
    ["profiles", "id", ["", "", "suspended", "stranger", "claimer", "owner", all]],
    ["spots", "id", ["", "", "", ...Array(4).fill("S1 S2")]],
    ["availabilities", "id", ["", "", "", ...Array(4).fill("W1 W2 W3 W4")]],
    ["claims", "id", ["", "", "", "", "C1 C3", "C1 C2", "C1 C2 C3"]],
    ["notifications", "claim_id", ["", "", "", "", "", "C1 C2", ""]],
  ] as const)("%s", async (table, id, expected) => {
    const seen = await outcomes([`select ${id} as id from parking.${table}`, []], (rows) =>
      rows.map((row) => names.get(row.id) ?? row.id).toSorted().join(" "),
    );
    expect(seen).toEqual(byActor(expected));
  });
});

describe("who does", () => {
  const no = "0";
  const yes = "1";
  const account = "approved_account_required";
  const flags = "administrator_required";

  const setProfile = (who: keyof typeof people, change: string): Statement => [
    `update parking.profiles set ${change} where id = $1`,
    [people[who].id],
  ];
});
