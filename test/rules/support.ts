import { expect } from "@jest/globals";
import type { ClientBase, QueryResult } from "pg";
import type { Building, Claim, Window } from "../support/building.ts";
import { setClaims, tryAt } from "../support/sql.ts";

/** A statement with its values: the arguments of Person.sql and of Building.rows alike. */
export type Statement = readonly [text: string, values: readonly unknown[]];

/** Runs a statement on a connection of the test. */
export const run = (client: ClientBase, [text, values]: Statement): Promise<QueryResult> =>
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

/** The error when the API role has no grant. */
export const notGranted = { code: "42501", message: expect.stringMatching(/^permission denied/) };

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

export const moveWindow = (
  window: Pick<Window, "id">,
  start: string | null,
  end: string | null,
): Statement => [
  "update parking.availabilities set start_time = $2, end_time = $3 where id = $1",
  [window.id, start, end],
];

/** Claims a window for the caller; without times, the whole window. */
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

/** The same by the owner of the database, who is no caller and must name the claimer. */
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

export const deleteClaim = ({ id }: Pick<Claim, "id">): Statement => [
  "delete from parking.claims where id = $1",
  [id],
];

/** A time plus some milliseconds. */
export const later = (time: string, milliseconds: number): string =>
  new Date(Date.parse(time) + milliseconds).toISOString();

/** Runs statements as the owner of the database in one transaction, and rolls it back. */
export const tryAsOwner = <T>(
  building: Building,
  attempt: (owner: ClientBase) => Promise<T>,
): Promise<T> => tryAt(building.database.url("parking_owner"), attempt);

/** The same as the API role with these claims, or none. */
export const tryWithClaims = <T>(
  building: Building,
  claims: string | null,
  attempt: (api: ClientBase) => Promise<T>,
): Promise<T> =>
  tryAt(building.database.url("parking_api"), async (api) => {
    if (claims !== null) await setClaims(api, claims);
    return attempt(api);
  });
