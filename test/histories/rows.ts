import type { Arena } from "../support/arena.ts";
import type { Ending } from "./shown.ts";
import type { ClaimState } from "./spot-state.ts";

/** What the tables have at the end, read past all policies. */
export interface Rows {
  ofSpot(spot: string): Ending["rows"];
  readonly spots: ReadonlySet<string>;
  readonly approved: ReadonlySet<string>;
}

interface WindowRow {
  readonly id: string;
  readonly spot: string;
  readonly start: string;
  readonly end: string;
  readonly isClaimed: boolean;
}
interface ClaimRow extends ClaimState {
  readonly id: string;
  readonly spot: string;
}

export async function readRows({ superuser }: Arena): Promise<Rows> {
  const ids = async (sql: string) =>
    new Set((await superuser.query<{ id: string }>(sql)).rows.map(({ id }) => id));
  const approved = await ids("select id from parking.profiles where is_approved");
  const spots = await ids("select id from parking.spots where retired_at is null");
  const { rows: windows } = await superuser.query<WindowRow>(
    `select id, spot_id as spot, private.iso8601(start_time) as start,
            private.iso8601(end_time) as "end", is_claimed as "isClaimed"
       from parking.availabilities
      where not private.is_put_away(start_time, end_time)`,
  );
  const { rows: claims } = await superuser.query<ClaimRow>(
    `select id, spot_id as spot, private.iso8601(start_time) as start,
            private.iso8601(end_time) as "end", availability_id as window,
            claimer_id as claimer, status
       from parking.claims`,
  );
  return {
    approved,
    spots,
    ofSpot: (spot) => ({
      exists: spots.has(spot),
      windows: of(spot, windows),
      claims: of(spot, claims),
    }),
  };
}

/** The rows of a spot by their ids. */
const of = <Row extends { readonly id: string; readonly spot: string }>(
  spot: string,
  rows: readonly Row[],
) =>
  Object.fromEntries(
    rows
      .filter((row) => row.spot === spot)
      .map(({ id, spot: _, ...shown }) => [id, shown] as const),
  );
