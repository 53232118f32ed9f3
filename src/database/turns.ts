import { overloaded } from "../errors/problem.ts";
import { mostInTime, note, type Pace } from "./pace.ts";

const MOST_WAITING = 100;
const PATIENCE_MS = 1_000;

interface Line {
  running: number;
  readonly pace: Pace;
  readonly waiting: Set<() => void>;
}

/** What requests wait for together. */
export interface Turns {
  readonly key: unknown;
  /** As many have their turn at the same time. */
  readonly most: number;
  /** Why a request is refused that would wait in vain, and one that did. */
  readonly reasons: readonly [full: string, late: string];
}

const lines = new Map<unknown, Line>();

/** How many wait for their turn. */
export const waitingForTurn = (): number =>
  [...lines.values()].reduce((total, { waiting }) => total + waiting.size, 0);

/**
 * Runs `use` when fewer than `most` others run for the same key. They wait here and not in the
 * database, where each wait takes a connection from the other requests.
 *
 * @throws Problem 503 where too many wait already to get their turn in time, or it does not come within
 * a second
 */
export async function inTurn<T>(turns: Turns, use: () => Promise<T>): Promise<T> {
  const { key, most } = turns;
  const line = lines.get(key) ?? { running: 0, pace: {}, waiting: new Set() };
  lines.set(key, line);
  if (line.running < most) line.running += 1;
  else await turn(line, turns);
  const start = performance.now();
  try {
    return await use();
  } finally {
    note(line.pace, performance.now() - start);
    const [next] = line.waiting;
    if (next)
      next(); // its place is not free in between
    else line.running -= 1;
    if (line.running === 0) lines.delete(key);
  }
}

/** Why the next request would be refused: so many wait already that it would wait in vain. */
export function reasonNotToWait({ key, most, reasons }: Turns): string | undefined {
  const { waiting, pace } = lines.get(key) ?? empty;
  const mostWaiting = Math.min(MOST_WAITING, mostInTime(pace, most, PATIENCE_MS));
  return waiting.size >= mostWaiting ? reasons[0] : undefined;
}

const empty: Line = { running: 0, pace: {}, waiting: new Set() };

/** Waits until one that ran ends, and takes its place. */
async function turn({ waiting }: Line, turns: Turns): Promise<void> {
  const reason = reasonNotToWait(turns);
  if (reason !== undefined) throw overloaded(reason);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const begin = () => {
    waiting.delete(begin);
    clearTimeout(patience);
    resolve();
  };
  const patience = setTimeout(() => {
    waiting.delete(begin);
    reject(overloaded(turns.reasons[1]));
  }, PATIENCE_MS);
  waiting.add(begin);
  await promise;
}
