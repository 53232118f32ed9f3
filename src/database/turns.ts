import { overloaded } from "../errors/problem.ts";
import { mostInTime, note, type Pace } from "./pace.ts";

const MOST_WAITING = 100;
const PATIENCE_MS = 1_000;

interface Line {
  running: number;
  readonly pace: Pace;
  readonly waiting: Set<() => void>;
}

const lines = new Map<string, Line>();

/** How many wait for their turn. */
export const waitingForTurn = (): number =>
  [...lines.values()].reduce((total, { waiting }) => total + waiting.size, 0);

/**
 * Runs `use` when fewer than `most` others run for the same key. What writes to one row waits here
 * and not in the database, where each wait takes a connection from the requests for other rows.
 *
 * @throws Problem 503 where too many wait already to get their turn in time, or it does not come within
 * a second
 */
export async function inTurn<T>(key: string, most: number, use: () => Promise<T>): Promise<T> {
  const line = lines.get(key) ?? { running: 0, pace: {}, waiting: new Set() };
  lines.set(key, line);
  if (line.running < most) line.running += 1;
  else await turn(line, most);
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

/** Waits until one that ran ends, and takes its place. */
async function turn({ waiting, pace }: Line, most: number): Promise<void> {
  if (waiting.size >= Math.min(MOST_WAITING, mostInTime(pace, most, PATIENCE_MS)))
    throw overloaded("too many requests wait for one row");
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const begin = () => {
    waiting.delete(begin);
    clearTimeout(patience);
    resolve();
  };
  const patience = setTimeout(() => {
    waiting.delete(begin);
    reject(overloaded("the requests before it took too long with their row"));
  }, PATIENCE_MS);
  waiting.add(begin);
  await promise;
}
