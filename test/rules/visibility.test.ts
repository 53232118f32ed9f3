import { beforeAll, describe, expect, it } from "@jest/globals";
import { DatabaseError, type QueryResult } from "pg";
import {
  type Claim,
  claimOf,
  hours,
  type Spot,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import * as doors from "../support/doors.ts";
import { except } from "../support/exceptions.ts";
import { favoriteOf } from "../support/favorite-spots.ts";
import { invite, invited } from "../support/invitations.ts";
import { claimsOfKey, type Machine, machineOf } from "../support/keys.ts";
import { setSectionLimits } from "../support/limits.ts";
import { dayAfter, patternOf, threeDays } from "../support/patterns.ts";
import type { Person } from "../support/person.ts";
import { newSubscription } from "../support/push-service.ts";
import { suspend } from "../support/rows.ts";
import { reportOf } from "../support/spot-reports.ts";
import { webhookOf } from "../support/webhooks.ts";
import { wishOf } from "../support/wishes.ts";
import { insertSpot, run, type Statement, tryWithClaims } from "./support.ts";

/** A pattern of which no window is published yet. */
const farAhead = (spot: Spot) => ({
  ...threeDays(spot),
  first_day: dayAfter(300),
  last_day: dayAfter(302),
});

/** In the order of the columns below. `suspended` acted as a resident, then lost the approval. */
const actors = [
  "nobody",
  "newcomer",
  "suspended",
  "stranger",
  "claimer",
  "owner",
  "concierge",
  "administrator",
  "key",
] as const;
type Actor = (typeof actors)[number];

const building = useBuilding();
let people: Readonly<Record<Exclude<Actor, "nobody" | "key">, Person>>;
let spot: Spot;
let key: Machine;
let freeWindow: Window;
let claim: Claim;
/** The names that the tables below give to rows, by id. */
const names = new Map<string, string>();

beforeAll(async () => {
  const newcomer = await building.newcomer();
  const suspended = await building.resident();
  const stranger = await building.resident();
  const claimer = await building.resident();
  const owner = await building.resident();
  const concierge = await building.concierge();
  const administrator = await building.administrator();
  people = { newcomer, suspended, stranger, claimer, owner, concierge, administrator };

  spot = await spotOf(owner);
  const suspendedsSpot = await spotOf(suspended);
  const window1 = await windowOf(owner, spot, 1, 5);
  const window2 = await windowOf(owner, spot, 5, 9);
  freeWindow = await windowOf(owner, spot, 9, 13);
  const suspendedsWindow = await windowOf(suspended, suspendedsSpot, 1, 5);
  claim = await claimOf(claimer, window1);
  const suspendedsClaim = await claimOf(suspended, window2);
  const claimOnSuspendeds = await claimOf(claimer, suspendedsWindow);
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

  // A row of the owner's and one of the suspended's, in every other table that people read.
  for (const [person, it, windows] of [
    [owner, spot, "O"],
    [suspended, suspendedsSpot, "X"],
  ] as const) {
    names.set((await patternOf(person, farAhead(it))).id, `${windows}1`);
    names.set((await except(person, "keep", it, 100, 101)).exception.id, `${windows}2`);
    names.set((await wishOf(person, 200, 201)).id, `${windows}3`);
    await favoriteOf(person, it);
    names.set((await reportOf(person, it)).id, `${windows}4`);
    await person.put(`/parking-spots/${it.id}/access`, { access_notes: "4711" }, 200);
    await person.put("/profile/preferences", { language: "de" }, 200);
    await person.post("/push-subscriptions", newSubscription(), 201);
    await person.post("/calendar-feed", {}, 201);
  }
  const webhook = await webhookOf(administrator);
  await administrator.post(`/admin/webhooks/${webhook.id}/test`, {}, 201);
  names.set(webhook.id, "webhook");
  await building.rows(
    "insert into parking.passages (vehicle, direction, passed_at) values ('BAB1', 'in', now())",
  );
  key = await machineOf(building, administrator, ["gate", "reports", "events"]);
  names.set(key.id, "key");
  await invite(administrator, invited("a@b.example"));
  await setSectionLimits(building, "North", { horizon_days: 300 });
  await suspend(building, suspended);
  await building.rows("delete from parking.notifications where claim_id is null");
});

const claimsOfActor = (actor: Actor): string => {
  if (actor === "nobody") return "";
  return actor === "key" ? claimsOfKey(key) : JSON.stringify({ sub: people[actor].id });
};

/** The outcome of a statement for each actor; it is rolled back. */
async function outcomes(
  statement: Statement,
  outcomeOf: (result: QueryResult<{ id: string }>) => string,
): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const actor of actors) {
    const claims = claimsOfActor(actor);
    const result = tryWithClaims(building, claims, (api) => run(api, statement));
    found[actor] = await result.then(outcomeOf, refusalOf);
  }
  return found;
}

/** The rule that refused, or the SQLSTATE if it was no rule. */
function refusalOf(error: unknown): string {
  if (!(error instanceof DatabaseError)) throw error;
  const policy = /policy "(\w+)"/.exec(error.message)?.[1];
  return error.constraint ?? policy ?? `SQLSTATE ${error.code}`;
}

describe("who sees", () => {
  const [spots, windows] = ["S1 S2", "W1 W2 W3 W4"];
  const everyone = "administrator claimer concierge owner stranger suspended";

  it.each([
    //                nobody, newcomer, suspended, stranger, claimer, owner, concierge, administrator, key
    [
      "profiles",
      "id",
      ["", "", "suspended", "stranger", "claimer", "owner", "concierge", everyone, ""],
    ],
    ["spots", "id", ["", "", "", spots, spots, spots, spots, spots, ""]],
    ["availabilities", "id", ["", "", "", windows, windows, windows, windows, windows, ""]],
    ["claims", "id", ["", "", "", "", "C1 C3", "C1 C2", "", "C1 C2 C3", ""]],
    ["notifications", "claim_id", ["", "", "", "", "", "C1 C2", "", "", ""]],
    ["patterns", "id", ["", "", "", "", "", "O1", "", "", ""]],
    ["exceptions", "id", ["", "", "", "", "", "O2", "", "", ""]],
    ["wishes", "id", ["", "", "", "", "", "O3", "", "", ""]],
    ["favorite_spots", "spot_id", ["", "", "", "", "", "S1", "", "", ""]],
    ["spot_reports", "id", ["", "", "", "", "", "O4", "O4 X4", "O4 X4", ""]],
    ["spot_access", "spot_id", ["", "", "", "", "", "S1", "", "S1 S2", ""]],
    ["contacts", "claim_id", ["", "", "", "", "C1 C3", "C1 C2", "", "", ""]],
    ["preferences", "person_id", ["", "", "suspended", "", "", "owner", "", "", ""]],
    ["push_subscriptions", "person_id", ["", "", "suspended", "", "", "owner", "", "", ""]],
    ["calendar_feeds", "person_id", ["", "", "", "", "", "owner", "", "", ""]],
    ["invitations", "status", ["", "", "", "", "", "", "", "open", ""]],
    ["webhooks", "id", ["", "", "", "", "", "", "", "webhook", ""]],
    ["passages", "vehicle", ["", "", "", "", "", "", "", "BAB1", ""]],
    ["keys", "id", ["", "", "", "", "", "", "", "key", ""]],
    ["deliveries", "webhook_id", ["", "", "", "", "", "", "", "webhook", ""]],
    ["buildings", "name", ["", "", "", ...Array(5).fill("The building"), ""]],
    ["sections", "building_section", ["", "", "", ...Array(5).fill("North"), ""]],
    [
      "limits",
      "coalesce(building_section, 'all')",
      ["", "", "", ...Array(5).fill("North all"), ""],
    ],
  ])("%s", async (table, id, expected) => {
    const select = `select ${id} as id from parking.${table}`;
    const seen = await outcomes([select, []], ({ rows }) =>
      rows
        .map((row) => names.get(row.id) ?? row.id)
        .toSorted()
        .join(" "),
    );
    expect(Object.values(seen)).toEqual(expected);
  });
});

describe("who does", () => {
  const account = "approved_account_required";
  const accounts = {
    nobody: account,
    newcomer: account,
    suspended: account,
    key: account,
  } as const;
  const publishing = "availabilities_created_by_spot_owner";

  const remove = (table: string, { id }: { readonly id: string }): Statement => [
    `delete from parking.${table} where id = $1`,
    [id],
  ];

  interface Action {
    readonly what: string;
    readonly statement: () => Statement;
    readonly may: readonly Actor[];
    /** The rule that refuses each actor. Actors in neither list change no row. */
    readonly refused?: Partial<Record<Actor, string>>;
  }
  const actions: readonly Action[] = [
    {
      // Without a condition only the policies for writing decide, not those for reading.
      what: "edit every profile they can",
      statement: () => ["update parking.profiles set full_name = 'x'", []],
      may: ["suspended", "stranger", "claimer", "owner", "concierge"],
      refused: { administrator: "profiles_describe_oneself" },
    },
    {
      what: "read every notification they can",
      statement: () => ["update parking.notifications set is_read = true", []],
      may: ["owner"],
      refused: accounts,
    },
    {
      what: "change every pattern they can",
      statement: () => ["update parking.patterns set ends_at = '16:00'", []],
      may: ["owner"],
      refused: accounts,
    },
    {
      what: "change all preferences they can",
      statement: () => ["update parking.preferences set language = 'en'", []],
      may: ["suspended", "owner"],
    },
    {
      what: "change every spot they can",
      statement: () => ["update parking.spots set notes = notes", []],
      may: ["owner"],
      refused: { ...accounts, administrator: "spots_updated_by_owner" },
    },
    {
      what: "delete every pattern they can",
      statement: () => ["delete from parking.patterns", []],
      may: ["owner"],
      refused: accounts,
    },
    {
      what: "delete every exception they can",
      statement: () => ["delete from parking.exceptions", []],
      may: ["owner"],
      refused: accounts,
    },
    {
      what: "register a spot",
      statement: () => insertSpot("S3", "North"),
      may: ["stranger", "claimer", "owner", "concierge", "administrator"],
      refused: { ...accounts, nobody: "SQLSTATE 42501", key: "SQLSTATE 42501" },
    },
    {
      what: "publish a window of the owner's spot",
      statement: () => doors.publish(spot, hours(20), hours(21)).sql,
      may: ["owner"],
      refused: {
        ...accounts,
        stranger: publishing,
        claimer: publishing,
        concierge: publishing,
        administrator: publishing,
      },
    },
    {
      what: "move the owner's window",
      statement: () => doors.move(freeWindow, hours(20), hours(21)).sql,
      may: ["owner"],
      refused: accounts,
    },
    {
      what: "delete the owner's window",
      statement: () => remove("availabilities", freeWindow),
      may: ["owner"],
      refused: accounts,
    },
    {
      what: "claim the owner's window",
      statement: () => doors.claim(freeWindow).sql,
      may: ["stranger", "claimer", "concierge", "administrator"],
      refused: { ...accounts, owner: "claims_not_by_owner" },
    },
    {
      what: "close the claimer's claim",
      statement: () => doors.close(claim, "completed").sql,
      may: ["claimer"],
      refused: accounts,
    },
    {
      what: "move the claimer's claim",
      statement: () => doors.move(claim, hours(2), hours(3)).sql,
      may: ["claimer"],
      refused: accounts,
    },
    {
      what: "delete the claimer's claim",
      statement: () => remove("claims", claim),
      may: ["claimer"],
      refused: accounts,
    },
  ];

  it.each(actions)("$what", async ({ statement, may, refused }) => {
    const expected = actors.map((actor) =>
      may.includes(actor) ? [actor, "done"] : [actor, refused?.[actor] ?? "nothing"],
    );
    const done = await outcomes(statement(), ({ rowCount }) => (rowCount ? "done" : "nothing"));
    expect(done).toEqual(Object.fromEntries(expected));
  });
});
