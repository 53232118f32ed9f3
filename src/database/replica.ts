import { DatabaseError, type Pool } from "pg";
import { isOutage } from "../errors/outage.ts";
import { Problem } from "../errors/problem.ts";
import { reasonOf } from "../errors/reason.ts";
import type { Logger } from "../log/logger.ts";
import type { Notice } from "../log/slow-statements.ts";
import { createPool } from "./pool.ts";
import { type Positions, REFRESH_MS, trackPositions } from "./replica-positions.ts";
import { callAs, type Row, type Step } from "./transaction.ts";

/** A server that repeats the changes of the primary and answers what reads. */
export interface Replica extends AsyncDisposable {
  readonly pool: Pool;
  /**
   * What the steps read, if the replica has repeated all that the caller wrote or was told of here, and
   * is not old. Undefined where the primary is to be asked.
   */
  read(
    caller: { readonly sub: string },
    steps: readonly Step[],
    isGone?: () => boolean,
  ): Promise<readonly (readonly Row[])[] | undefined>;
  /** Runs what may write for a caller, who from then on reads what was written. */
  write: Positions["during"];
  told: Positions["told"];
}

export interface ReplicaOptions {
  readonly url: string;
  readonly primaryUrl: string;
  readonly logger: Logger;
  readonly preparedStatements?: boolean;
  readonly notice?: Notice | undefined;
  readonly mostAgeMs?: number | undefined;
}

/** A replica in trouble is left alone so long; then one request tries it, and the others do not wait. */
const REST_MS = 1_000;

/**
 * It comes first: what a later step sees is at least as new as this says. An owner or a superuser
 * would see every row.
 */
const whereItIs: Step = {
  name: "replica-position",
  text: `
    select pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_last_wal_replay_lsn(), '0/0'),
           pg_catalog.row_security_active('parking.spots')`,
  values: [],
};

export function openReplica(options: ReplicaOptions): Replica {
  const { url, primaryUrl, logger, preparedStatements = true, notice, mostAgeMs } = options;
  // The primary answers instead, so that nobody need wait for long.
  const patience = { connectionTimeoutMillis: 500, query_timeout: 3_000 };
  const pool = createPool(url, logger, { preparedStatements, notice, ...patience });
  const primary = createPool(primaryUrl, logger, { max: 1, query_timeout: 1_000 });
  const positions = trackPositions(() => positionOfPrimary(primary), mostAgeMs);
  void positions.refresh();
  const timer = setInterval(() => void positions.refresh(), REFRESH_MS).unref();

  let trouble: string | undefined;
  let restsUntil = -Infinity;

  function rest(reason: string): undefined {
    restsUntil = performance.now() + REST_MS;
    if (trouble === undefined) logger.warn({ reason }, "the primary answers for the replica");
    trouble = reason;
  }

  function recovered(): void {
    if (trouble !== undefined) logger.info("the replica answers again");
    trouble = undefined;
  }

  const read: Replica["read"] = async (caller, steps, isGone) => {
    const [current, required] = [positions.forAll(), positions.forCaller(caller.sub)];
    if (current === undefined || required === undefined) return undefined;
    if (performance.now() < restsUntil) return undefined;
    if (trouble !== undefined) restsUntil = performance.now() + REST_MS;
    try {
      const call = { readOnly: true, steps: [whereItIs, ...steps] };
      const circumstances = { row: caller.sub, isGone };
      const results = await callAs(pool, JSON.stringify(caller), call, circumstances);
      const [standing, ...rows] = results;
      const [position, isBound] = standing?.[0] ?? [];
      if (isBound !== "t") return rest("its login is not bound by row-level security");
      if (position == null) return rest("READ_DATABASE_URL leads to no replica");
      const reached = BigInt(position);
      if (reached < current) return rest("it is too far behind");
      recovered();
      return reached < required ? undefined : rows;
    } catch (error) {
      if (isGone?.()) throw error;
      // What it refuses may be new to it, such as the approval of an account. The primary knows.
      return isRefusal(error)
        ? undefined
        : rest(reasonOf(error instanceof Problem ? error.cause : error));
    }
  };

  return {
    pool,
    read,
    write: positions.during,
    told: positions.told,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await Promise.all([pool.end(), primary.end()]);
    },
  };
}

async function positionOfPrimary(primary: Pool): Promise<bigint> {
  const { rows } = await primary.query<{ position: string }>(
    "select pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_insert_lsn(), '0/0') as position",
  );
  if (!rows[0]) throw new Error("the primary has no position");
  return BigInt(rows[0].position);
}

/** The server served, and a statement failed for a reason of its own. */
const isRefusal = (error: unknown): boolean =>
  error instanceof DatabaseError && error.severity === "ERROR" && !isOutage(error);
