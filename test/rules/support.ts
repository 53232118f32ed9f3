import { expect } from "@jest/globals";
import type { Client, QueryResult } from "pg";
import { withClient } from "../../src/database/client.ts";
import {
  type Building,
  type Claim,
  claimOf,
  type Spot,
  spotOf,
  type Window,
  windowOf,
} from "../support/building.ts";
import type { Person } from "../support/person.ts";

/** A statement with its values: the arguments of Person.sql and of Building.rows alike. */
export type Statement = readonly [text: string, values: readonly unknown[]];

/** Runs a statement on a connection that the test holds itself. */
export const run = (client: Client, [text, values]: Statement): Promise<QueryResult> =>
  client.query(text, [...values]);

/** How an error names a constraint, or a trigger that acts like one. */
export const refusedBy = (rule: string, code = "23514") => ({ code, constraint: rule });

/** How an error names a restrictive policy. */
export const refusedByPolicy = (rule: string) => ({
  code: "42501",
  message: expect.stringContaining(`row-level security policy "${rule}"`),
});

/** How an error names a column that must have a value. */
export const missing = (column: string) => ({ code: "23502", column });

/** How an error tells the API role that it has no grant. */
export const notGranted = { code: "42501", message: expect.stringMatching(/^permission denied/) };

export interface Offer {
  readonly owner: Person;
  readonly spot: Spot;
  readonly window: Window;
  /** Somebody who may claim the window. */
  readonly claimer: Person;
}
export interface Holding extends Offer {
  readonly claim: Claim;
}

/** A spot with a window from hour 1 to hour 5. */
export async function offer(building: Building): Promise<Offer> {
  const owner = await building.resident();
  const claimer = await building.resident();
  const spot = await spotOf(owner);
  return { owner, claimer, spot, window: await windowOf(owner, spot, 1, 5) };
}

/** An offer that the claimer has taken, the whole of it. */
export async function holding(building: Building): Promise<Holding> {
  const offered = await offer(building);
  return { ...offered, claim: await claimOf(offered.claimer, offered.window) };
}

export const insertSpot = (spotNumber: string | null, section: string | null): Statement => [
  "insert into parking.spots (spot_number, building_section) values ($1, $2) returning id",
  [spotNumber, section],
];

export const insertWindow = (
  spot: { readonly id: string | null; readonly owner_id: string | null },
  start: string | null,
  end: string | null,
): Statement => [
  `insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
   values ($1, $2, $3, $4)
   returning id`,
  [spot.id, spot.owner_id, start, end],
];

export const moveWindow = (window: Window, start: string | null, end: string | null): Statement => [
  "update parking.availabilities set start_time = $2, end_time = $3 where id = $1",
  [window.id, start, end],
];

/** Claims a window for whoever runs it; without times, the whole of it. */
export const insertClaim = (
  window: Window,
  start: string | null = window.start_time,
  end: string | null = window.end_time,
): Statement => [
  `insert into parking.claims (availability_id, spot_id, owner_id, start_time, end_time)
   select a.id, a.spot_id, a.owner_id, $2::timestamptz, $3::timestamptz
     from parking.availabilities a
    where a.id = $1
   returning id`,
  [window.id, start, end],
];

/** The same by the owner of the database, who is no caller and so must name one. */
export const insertClaimFor = (
  claimerId: string,
  window: Window,
  start: string | null = window.start_time,
  end: string | null = window.end_time,
  status: string | null = "active",
): Statement => [
  `insert into parking.claims
     (availability_id, spot_id, owner_id, claimer_id, start_time, end_time, status)
   select a.id, a.spot_id, a.owner_id, $2::uuid, $3::timestamptz, $4::timestamptz, $5
     from parking.availabilities a
    where a.id = $1
   returning id`,
  [window.id, claimerId, start, end, status],
];

export const moveClaim = (claim: Claim, start: string | null, end: string | null): Statement => [
  "update parking.claims set start_time = $2, end_time = $3 where id = $1",
  [claim.id, start, end],
];

export const setStatus = (claim: Claim, status: string | null): Statement => [
  "update parking.claims set status = $2 where id = $1",
  [claim.id, status],
];

type Table = "profiles" | "spots" | "availabilities" | "claims" | "notifications";

/** The row as the database holds it; undefined when it is gone. */
export async function stored(building: Building, table: Table, id: string): Promise<unknown> {
  const [row] = await building.rows(`select * from parking.${table} where id = $1`, [id]);
  return row;
}

/** Every row of every table of ours, for "and nothing else has changed". */
export async function everything(building: Building): Promise<unknown> {
  const [row] = await building.rows(`
    select (select jsonb_agg(to_jsonb(t) order by t.id) from private.users t) as users,
           (select jsonb_agg(to_jsonb(t) order by t.id) from private.events t) as events,
           (select jsonb_agg(to_jsonb(t) order by t.id) from parking.profiles t) as profiles,
           (select jsonb_agg(to_jsonb(t) order by t.id) from parking.spots t) as spots,
           (select jsonb_agg(to_jsonb(t) order by t.id)
              from parking.availabilities t) as availabilities,
           (select jsonb_agg(to_jsonb(t) order by t.id) from parking.claims t) as claims,
           (select jsonb_agg(to_jsonb(t) order by t.id)
              from parking.notifications t) as notifications`);
  return row;
}

/** A moment so many milliseconds from another. */
export const later = (time: string, milliseconds: number): string =>
  new Date(Date.parse(time) + milliseconds).toISOString();

/** Runs statements as the owner of the database in one transaction, and undoes them. */
export const tryAsOwner = <T>(
  building: Building,
  attempt: (owner: Client) => Promise<T>,
): Promise<T> => rolledBack(building.database.url("parking_owner"), attempt);

/** Runs statements as the API role with these claims, or none, in a transaction; undoes them. */
export const tryWithClaims = <T>(
  building: Building,
  claims: string | null,
  attempt: (api: Client) => Promise<T>,
): Promise<T> =>
  rolledBack(building.database.url("parking_api"), async (api) => {
    if (claims !== null) {
      await api.query("select set_config('request.jwt.claims', $1, true)", [claims]);
    }
    return attempt(api);
  });

const rolledBack = <T>(url: string, attempt: (client: Client) => Promise<T>): Promise<T> =>
  withClient(url, async (client) => {
    await client.query("begin");
    try {
      return await attempt(client);
    } finally {
      await client.query("rollback");
    }
  });

/** Writes past every rule and effect, as only time or a slip of the superuser could. */
export const pastTheRules = (building: Building, ...statement: Statement): Promise<void> =>
  withClient(building.database.url("postgres"), async (superuser) => {
    await superuser.query("set session_replication_role = replica");
    await run(superuser, statement);
  });

/** Lets the start of a window, and of the claims on it, have been at a moment of the past. */
export async function letStartPass(
  building: Building,
  window: Window,
  start: string,
): Promise<void> {
  const values = [window.id, start];
  await pastTheRules(
    building,
    "update parking.availabilities set start_time = $2 where id = $1",
    values,
  );
  await pastTheRules(
    building,
    "update parking.claims set start_time = $2 where availability_id = $1",
    values,
  );
}
