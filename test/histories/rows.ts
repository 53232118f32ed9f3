import type { Arena } from "../support/arena.ts";
import { freeTimes } from "../support/free-sql.ts";
import type { Ending, ShownWindow } from "./shown.ts";
import type { ClaimState } from "./spot-state.ts";

/** What the tables have at the end, read past all policies. */
export interface Rows {
  ofSpot(spot: string): Ending["rows"];
  readonly spots: ReadonlySet<string>;
  readonly approved: ReadonlySet<string>;
}

interface WindowRow extends ShownWindow {
  readonly id: string;
  readonly spot: string;
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
    `select f.id, f.spot_id as spot, private.iso8601(lower(f.during)) as start,
            private.iso8601(upper(f.during)) as "end", f.is_claimed as "isClaimed",
            case
              when not isempty(f.free) and f.free <> f.during::tstzmultirange then (
                select jsonb_agg(
                         jsonb_build_object(
                           'start', private.iso8601(lower(span)),
                           'end', private.iso8601(upper(span))
                         )
                         order by span
                       )
                  from unnest(f.free) span
              )
            end as free
       from ${freeTimes} f`,
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
      windows: of(spot, windows.map(shown)),
      claims: of(spot, claims),
    }),
  };
}

const shown = ({ free, ...row }: WindowRow): WindowRow => (free ? { ...row, free } : row);

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
