import type { Pool } from "pg";
import { oncePer } from "../lazy.ts";
import { Bound, linesOf } from "../overload/bound.ts";

/** More connections would each carry fewer reads, and wake more processes of PostgreSQL. */
const MOST_FOR_READS = 3;
/** A read that takes long holds up those behind it on its connection: no more than these. */
export const MOST_TOGETHER = 8;

/** Requests wait for a connection here and not in the database, where each wait takes one. */
export const boundsOf = oncePer(({ options }: Pool) => {
  const { max, connectionTimeoutMillis = 0 } = options;
  const turn = { name: "turn", most: 100 };
  const connection = { name: "connection", turns: 20 };
  const ofReads = Math.min(MOST_FOR_READS, Math.ceil(max / 3));
  return {
    bound: new Bound(connectionTimeoutMillis, "the requests before it took too long"),
    /** Those that change one row: other rows always have some connections left. */
    rows: linesOf({
      ...turn,
      running: Math.ceil(max / 3),
      full: "too many requests wait for one row",
    }),
    /** A third is left to reads: commits may all wait, as for a lost standby. */
    writes: linesOf({
      ...turn,
      running: max - Math.floor(max / 3),
      full: "too many writes wait for a connection",
    }),
    /** Short reads, which go down one connection together. */
    reads: linesOf({
      ...connection,
      running: ofReads,
      fewest: ofReads * MOST_TOGETHER,
      full: "too many reads wait for a connection",
    }),
    all: linesOf({ ...connection, running: max, full: "too many requests wait for a connection" }),
  };
});

/** Why a call of this kind would be refused, if it would: known before any work is done for it. */
export function overloadOf(pool: Pool, kind: "read" | "write"): string | undefined {
  const { bound, reads, writes, all } = boundsOf(pool);
  if (kind === "read") return bound.overload(reads(), all());
  return pool.options.commits?.overload() ?? bound.overload(writes(), all());
}
