import { overloaded } from "../errors/problem.ts";

const PATIENCE_MS = 1_000;

interface Line {
  running: number;
  readonly waiting: Set<() => void>;
}

/** How many may run at a time, which may change meanwhile, and wait. */
export interface Places {
  readonly running: () => number;
  readonly waiting: number;
}

const lines = new Map<string | symbol, Line>();

/** How many wait for their turn. */
export const waitingForTurn = (): number =>
  [...lines.values()].reduce((total, { waiting }) => total + waiting.size, 0);

/**
 * Runs `use` when there is a place for it among those with the same key. What is going to wait in
 * the database waits here instead, where it takes no connection from others.
 *
 * @throws Problem 503 where too many wait already, or the turn does not come within a second
 */
export async function inTurn<T>(
  key: string | symbol,
  places: Places,
  use: () => Promise<T>,
): Promise<T> {
  const line = lines.get(key) ?? { running: 0, waiting: new Set() };
  lines.set(key, line);
  if (line.running < places.running()) line.running += 1;
  else await turn(line, places);
  try {
    return await use();
  } finally {
    line.running -= 1;
    for (const begin of line.waiting) {
      if (line.running >= places.running()) break;
      line.running += 1; // its place is not free in between
      begin();
    }
    if (line.running === 0) lines.delete(key);
  }
}

/** Waits until one that ran ends, and takes its place. */
async function turn({ waiting }: Line, places: Places): Promise<void> {
  if (waiting.size >= places.waiting) throw overloaded("too many requests wait for the same");
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const begin = () => {
    waiting.delete(begin);
    clearTimeout(patience);
    resolve();
  };
  const patience = setTimeout(() => {
    waiting.delete(begin);
    reject(overloaded("the requests before it took too long"));
  }, PATIENCE_MS);
  waiting.add(begin);
  await promise;
}
