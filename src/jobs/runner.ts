import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { pause } from "../database/pause.ts";
import { isOutage } from "../errors/outage.ts";
import { reasonOf } from "../errors/reason.ts";
import type { Logger } from "../log/logger.ts";

/** A row of private.jobs that this process has taken. */
export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly key: string;
  /** The event that the job is about. */
  readonly event_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  /** The number of this attempt. */
  readonly attempts: number;
  /** The number of attempts that have failed since the last success. */
  readonly failures: number;
  /** The time for which the job had been due. */
  readonly overdue_seconds: number;
}

/** How an attempt ended. Without `again` the job has ended; with a failure, it was given up. */
export interface AttemptResult {
  readonly failure?: string | undefined;
  /** The number of seconds until it is due again. */
  readonly again?: number | undefined;
}

/** What to do with jobs of one kind. */
export interface JobKind {
  /**
   * The longest time of an attempt, at which the signal ends it. Other processes wait twice as
   * long.
   */
  readonly seconds: number;
  /** The number of jobs of a lane that each process does at once. */
  readonly atOnce: number;
  /** An error fails the attempt. The pauses before the next attempts grow. */
  readonly attempt: (job: Job, signal: AbortSignal) => Promise<AttemptResult>;
}

export type JobKinds = Readonly<Record<string, JobKind>>;

interface RunnerParts {
  /** Its own connections, so that requests do not wait for jobs. */
  readonly pool: Pool;
  readonly logger: Logger;
  readonly kinds: JobKinds;
  /**
   * Tells the database what it must know about this process before the first poll, and after a poll
   * that failed: an outage may have been long, or may have ended with an older backup. If it fails,
   * the poll fails.
   */
  readonly announce?: () => Promise<unknown>;
}

export interface JobRunner {
  /** Takes no more jobs, and gives running jobs a moment to end. Calling it twice is harmless. */
  stop(): Promise<void>;
}

/** The pause between two polls. An event reaches everybody within a second. */
const POLL_MS = 400;
const LONGEST_PAUSE_MS = 10_000;
/** The time that a stop waits for attempts before it ends them. */
const PATIENCE_MS = 2_000;
const LONGEST_RETRY_SECONDS = 3_600;
const MOST_FAILURES = 20;

/** The key of jobs that are due again and again by the clock: nothing would add them again. */
const TIMED = "timed";

/** The number of events that get their positions in one transaction. */
const MOST_EVENTS = 1_000;

/** The maximum of calls in one poll: jobs must not wait until thousands of people are notified. */
const MOST_NOTIFYING = 3;
/** The longest time without a call: somebody may have been left out because of a lock. */
const NOTIFY_MS = 60_000;

async function settled<T>(work: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [result] = await Promise.allSettled([work]);
  return result;
}

/** The number of seconds for which no other process takes a job. */
const leaseOf = ({ seconds }: JobKind): number => 2 * seconds;

const ORDER = "select private.order_events($1) as position";
const NOTIFY = "select private.tell_waiting() as notified";
const DUE_LANES = "select private.due_lanes() as lanes";
const TAKE = "select * from private.take_jobs($1, $2, make_interval(secs => $3))";
const GIVE_BACK = "select private.give_back_job($1, $2)";
const END = "select private.end_job($1, $2, $3, clock_timestamp() + make_interval(secs => $4))";

/**
 * Gives events their positions and does the jobs that are due. Any number of processes may run it
 * at the same time: one of them gives each position, and one takes each job.
 */
export function startJobs({ pool, logger, kinds, announce }: RunnerParts): JobRunner {
  const stopping = new AbortController();
  const ending = new AbortController();
  const running = new Map<string, Set<Promise<void>>>();
  let wake = (): void => {};
  /** The position of the last event that was seen with one. */
  let position = 0;
  let isAnnounced = announce === undefined;
  /** Whether something happened that waiting people may not have been notified of. */
  let mayBeUnnotified = true;
  let notifiedAt = performance.now();

  async function poll(): Promise<void> {
    if (!isAnnounced) await announce?.();
    isAnnounced = true;
    // An event without a position holds up later events, but no job. Nor does a person who cannot
    // be notified.
    const ordering = await settled(order());
    const notifying = await settled(notify());
    const { rows } = await pool.query<{ lanes: readonly string[] }>(DUE_LANES);
    for (const lane of rows[0]?.lanes ?? []) {
      const kind = kindOf(lane);
      // Another process does jobs of a newer version, and those for which this one has no settings.
      if (kind && !stopping.signal.aborted) await fill(lane, kind);
    }
    for (const part of [ordering, notifying]) if (part.status === "rejected") throw part.reason;
  }

  /** Repeats until no event waits, because a burst must not lag behind. */
  async function order(): Promise<void> {
    let before: number;
    do {
      before = position;
      const { rows } = await pool.query<{ position: string | null }>(ORDER, [MOST_EVENTS]);
      position = Number(rows[0]?.position ?? before);
      mayBeUnnotified ||= position !== before;
    } while (position - before >= MOST_EVENTS && !stopping.signal.aborted);
  }

  async function notify(): Promise<void> {
    mayBeUnnotified ||= performance.now() - notifiedAt > NOTIFY_MS;
    for (let i = 0; mayBeUnnotified && i < MOST_NOTIFYING && !stopping.signal.aborted; i++) {
      const { rows } = await pool.query<{ notified: number }>(NOTIFY);
      mayBeUnnotified = rows[0]?.notified !== 0;
      notifiedAt = performance.now();
    }
  }

  const kindOf = (lane: string): JobKind | undefined => kinds[lane.split(":")[0] ?? ""];

  async function fill(lane: string, kind: JobKind): Promise<void> {
    const busy = running.get(lane) ?? new Set();
    const free = kind.atOnce - busy.size;
    if (free === 0) return;
    const { rows } = await pool.query<Job>(TAKE, [lane, free, leaseOf(kind)]);
    // Set only now, because an attempt that has just ended may have removed the lane.
    if (rows.length > 0) running.set(lane, busy);
    for (const job of rows) {
      const attempt = run(kind, job).finally(() => {
        busy.delete(attempt);
        if (busy.size === 0) running.delete(lane);
        wake();
      });
      busy.add(attempt);
    }
  }

  async function run(kind: JobKind, job: Job): Promise<void> {
    const lease = AbortSignal.timeout(leaseOf(kind) * 1_000);
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(kind.seconds * 1_000)]);
    const result = await kind.attempt(job, signal).catch((error: unknown) => failed(job, error));
    if (result === undefined) return giveBack(job);
    const { failure, again } = result;
    const about = { kind: job.kind, job: job.id, reason: failure };
    if (failure !== undefined && again === undefined) logger.error(about, "a job was given up");
    else if (failure !== undefined) logger.warn({ ...about, again }, "a job failed");
    // If this is lost, a mail that was sent is sent again: the job is due after its time.
    const end = () => pool.query(END, [job.id, job.attempts, failure ?? null, again ?? null]);
    await persist(end, AbortSignal.any([ending.signal, lease])).catch((error) =>
      logger.warn({ ...about, reason: reasonOf(error) }, "a job's end is lost"),
    );
  }

  // If this is lost, the job is due again after its time.
  const giveBack = ({ id, attempts }: Job): Promise<void> =>
    pool.query(GIVE_BACK, [id, attempts]).then(
      () => {},
      () => {},
    );

  /** Undefined if the stop ended the attempt. */
  function failed(job: Job, error: unknown): AttemptResult | undefined {
    if (ending.signal.aborted) return undefined;
    const again = Math.min(2 ** (job.failures + 2), LONGEST_RETRY_SECONDS);
    const goesOn = job.key === TIMED || job.failures < MOST_FAILURES;
    return { failure: reasonOf(error), ...(goesOn && { again }) };
  }

  async function pollUntilStopped(): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      try {
        await poll();
        if (failures > 0) logger.info("events and jobs go on");
        failures = 0;
      } catch (error) {
        isAnnounced = announce === undefined;
        if (failures === 0)
          logger.warn({ reason: reasonOf(error) }, "events or jobs wait for the database");
        failures += 1;
      }
      await pause(Math.min(POLL_MS * 2 ** failures, LONGEST_PAUSE_MS), woken);
    }
  }

  const polling = pollUntilStopped();
  let stopped: Promise<void> | undefined;
  async function stop(): Promise<void> {
    stopping.abort();
    wake();
    await polling;
    const patience = setTimeout(() => ending.abort(), PATIENCE_MS);
    await Promise.all([...running.values()].flatMap((attempts) => [...attempts]));
    clearTimeout(patience);
  }
  return { stop: () => (stopped ??= stop()) };
}

const FIRST_PAUSE_MS = 200;

/**
 * Writes to the database what must not be lost, and repeats this while the database is away, as in
 * a failover. The database may receive it twice.
 * @throws the last error, if the signal is aborted or the same write would fail again
 */
export async function persist(say: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      await say();
      return;
    } catch (error) {
      if (!isOutage(error)) throw error;
      await sleep(pause, undefined, { signal }).catch(() => {});
      if (signal.aborted) throw error;
    }
  }
}
