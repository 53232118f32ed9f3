import { expect } from "@jest/globals";
import type { ClientBase, QueryResult } from "pg";
import type { Building, Window } from "../support/building.ts";
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

/** Claims a window as the owner of the database, who is no caller and must name the claimer. */
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
