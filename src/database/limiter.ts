import { clientLeft, overloaded } from "../errors/problem.ts";

/** More would fill the memory. */
const MOST_WAITING = 300;

/** Of the time that a request may wait: the rest is for an average that is wrong. */
const SHARE_OF_PATIENCE = 0.5;

/** How long turns take lately: an average in which the last twenty count most. */
export class Pace {
  #milliseconds: number | undefined;

  /** @param milliseconds 0 where the first turns take longer than the others, and count little */
  constructor(milliseconds?: number) {
    this.#milliseconds = milliseconds;
  }

  get milliseconds(): number {
    return this.#milliseconds ?? 0;
  }

  note(milliseconds: number): void {
    this.#milliseconds ??= milliseconds;
    this.#milliseconds += (milliseconds - this.#milliseconds) / 20;
  }

  /** How many may wait so that each gets its turn in time, where so many have theirs at once. */
  mostWaiting(atOnce: number, patienceMs: number, fewest = atOnce): number {
    const inTime = (atOnce * patienceMs * SHARE_OF_PATIENCE) / this.milliseconds;
    return Math.min(MOST_WAITING, Math.max(fewest, inTime));
  }
}

/** How many may run at once, and how many may wait for that, if their turn would come in time. */
export interface Bound {
  readonly running: number;
  readonly waiting: number;
}

export interface LimiterOptions {
  /** What the metrics count under one name. */
  readonly name: string;
  /** Of those with one key: the row that they change, or the caller. */
  readonly ofOne?: Bound | undefined;
  /** Of all together. */
  readonly ofAll?: Bound | undefined;
  readonly patienceMs: number;
  /** Why one is refused that would wait in vain, and one that did. */
  readonly reasons: readonly [full: string, late: string];
}

class Line {
  running = 0;
  waiting = 0;
  readonly pace = new Pace();
}

interface Waiter {
  readonly line: Line;
  readonly begin: () => void;
}

const limiters = new Set<Limiter>();

const UNBOUNDED: Bound = { running: Number.POSITIVE_INFINITY, waiting: Number.POSITIVE_INFINITY };

/**
 * Lets a few run at a time. The others wait here, where they hold nothing that others need; those
 * that would wait in vain are refused at once.
 */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #ofOne: Bound;
  readonly #ofAll: Bound;
  /** Of the keys under which anybody runs or waits. */
  readonly #lines = new Map<string, Line>();
  /** In the order of their arrival. */
  readonly #waiters = new Set<Waiter>();
  #all = new Line();

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#ofOne = options.ofOne ?? UNBOUNDED;
    this.#ofAll = options.ofAll ?? UNBOUNDED;
    limiters.add(this);
  }

  /** How many wait in all limiters of this name. */
  static waiting(name: string): number {
    let count = 0;
    for (const limiter of limiters)
      if (limiter.#options.name === name) count += limiter.#waiters.size;
    return count;
  }

  /** Why the next would be refused, if it would. */
  overload(key = ""): string | undefined {
    const line = this.#lines.get(key);
    const isFull =
      (line && this.#isFull(line, this.#ofOne)) || this.#isFull(this.#all, this.#ofAll);
    return isFull ? this.#options.reasons[0] : undefined;
  }

  /**
   * Runs `use` when there is room for it.
   *
   * @param key of whom, where it limits by that
   * @param left aborted when the client is gone: then nothing is begun for it
   * @throws Problem 503, at once where too many wait, or when its turn did not come in time
   */
  async run<T>(use: () => Promise<T>, key = "", left?: AbortSignal): Promise<T> {
    if (left?.aborted) throw clientLeft();
    const line = this.#lines.get(key) ?? new Line();
    this.#lines.set(key, line);
    try {
      if (this.#hasRoom(line)) this.#enter(line);
      else await this.#wait(key, line, left);
      const startedAt = performance.now();
      try {
        return await use();
      } finally {
        this.#leave(line, performance.now() - startedAt);
      }
    } finally {
      // Where two end in one turn, the key may have another line by now.
      const isOver = line.running + line.waiting === 0;
      if (isOver && this.#lines.get(key) === line) this.#lines.delete(key);
    }
  }

  #hasRoom(line: Line): boolean {
    return line.running < this.#ofOne.running && this.#all.running < this.#ofAll.running;
  }

  #isFull({ waiting, pace }: Line, bound: Bound): boolean {
    if (bound === UNBOUNDED) return false;
    if (waiting >= bound.waiting) return true;
    return waiting >= pace.mostWaiting(bound.running, this.#options.patienceMs);
  }

  #enter(line: Line): void {
    line.running += 1;
    this.#all.running += 1;
  }

  /** Gives its place to the first for whom there is room now. */
  #leave(line: Line, milliseconds: number): void {
    for (const each of [line, this.#all]) {
      each.running -= 1;
      each.pace.note(milliseconds);
    }
    for (const waiter of this.#waiters) {
      if (!this.#hasRoom(waiter.line)) continue;
      this.#stopWaiting(waiter);
      this.#enter(waiter.line);
      waiter.begin();
      break;
    }
    // What comes after a pause need not be as slow.
    if (this.#all.running === 0) this.#all = new Line();
  }

  async #wait(key: string, line: Line, left: AbortSignal | undefined): Promise<void> {
    const reason = this.overload(key);
    if (reason !== undefined) throw overloaded(reason);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { line, begin: resolve };
    const giveUp = () => {
      if (!this.#waiters.has(waiter)) return; // it has just begun
      this.#stopWaiting(waiter);
      reject(left?.aborted ? clientLeft() : overloaded(this.#options.reasons[1]));
    };
    this.#waiters.add(waiter);
    line.waiting += 1;
    this.#all.waiting += 1;
    const timer = setTimeout(giveUp, this.#options.patienceMs).unref();
    left?.addEventListener("abort", giveUp);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      left?.removeEventListener("abort", giveUp);
    }
  }

  #stopWaiting(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    waiter.line.waiting -= 1;
    this.#all.waiting -= 1;
  }
}
