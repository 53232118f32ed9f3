import { clientLeft, overloaded } from "../errors/problem.ts";

/** More would fill the memory. */
const MOST_WAITING = 300;
/** The part of the patience that is planned with. The rest is for an average that is wrong. */
const SHARE_OF_PATIENCE = 0.5;
/** The most turns that count in the average of a line that is new. */
const TURNS = 100;

/** How many with one key run at once, and how many may wait for that. */
export interface Limit {
  /** What the metrics call those who wait. */
  readonly name: string;
  readonly running: number;
  /** How many may wait however long turns take; by default as many as run. */
  readonly fewest?: number;
  /** How many may wait however short turns are. */
  readonly most?: number;
  /**
   * How many turns count most in the average. For a line without a key, which is never forgotten: its
   * first turns take longer than the others, and count as little as each of them.
   */
  readonly turns?: number;
  /** Why one more is refused. */
  readonly full: string;
}

/** Those with one key: of one row, of one caller, or all. */
export interface Line {
  readonly limit: Limit;
  readonly forget: () => void;
  /** Those that run or wait, also where another line counts them as waiting. */
  members: number;
  running: number;
  /** Those that this line counts. */
  waiting: number;
  /** How long the last turns took on average, and how many there were. */
  milliseconds: number;
  turns: number;
}

/**
 * Returns what finds the line of a key. A line without members is forgotten, with its pace: what
 * comes after a pause need not be as slow.
 */
export function linesOf(limit: Limit): (key?: string) => Line {
  const lines = new Map<string, Line>();
  return (key = "") => {
    const known = lines.get(key);
    if (known) return known;
    const counts = { members: 0, running: 0, waiting: 0, milliseconds: 0, turns: 0 };
    const line = { limit, forget: () => lines.delete(key), ...counts };
    lines.set(key, line);
    return line;
  };
}

const hasRoom = ({ running, limit }: Line): boolean => running < limit.running;

/**
 * The line that counts one more that waits: the first whose members cannot all run at once. So those
 * with one key wait for each other, and few of them take places from those with other keys.
 */
const lineOfNext = (lines: readonly Line[]): Line | undefined =>
  lines.find(({ members, limit }) => members >= limit.running);

/** Whether as many wait as have their turn in time, at the pace of the last ones. */
function isFull({ limit, waiting, milliseconds }: Line, patienceMs: number): boolean {
  const { running, fewest = running, most = MOST_WAITING } = limit;
  const inTime = (running * patienceMs * SHARE_OF_PATIENCE) / milliseconds;
  return waiting >= most || waiting >= Math.max(fewest, inTime);
}

function note(line: Line, milliseconds: number): void {
  line.turns = Math.min(line.turns + 1, TURNS);
  line.milliseconds += (milliseconds - line.milliseconds) / (line.limit.turns ?? line.turns);
}

function part(line: Line): void {
  line.members -= 1;
  if (line.members <= 0 && line.limit.turns === undefined) line.forget();
}

/** A task that needs room in some lines. The last of them is the line of all. */
export interface Waiter {
  readonly lines: readonly Line[];
  readonly begin: () => void;
  /** Without a reason, its client has left. */
  readonly fail: (reason?: string) => void;
  /** Whether its client has left: nobody would read the answer. */
  readonly isGone?: (() => boolean) | undefined;
}

function begin(waiter: Waiter): void {
  if (waiter.isGone?.()) refuse(waiter);
  else {
    for (const line of waiter.lines) line.running += 1;
    waiter.begin();
  }
}

function refuse({ lines, fail }: Waiter, reason?: string): void {
  lines.forEach(part);
  fail(reason);
}

interface Place {
  readonly waiter: Waiter;
  readonly since: number;
  /** The line that counts it. */
  readonly line: Line;
}

const bounds = new Set<Bound>();

/** How many wait in the lines of this name. */
export const waitingIn = (name: string): number =>
  [...bounds].reduce((total, bound) => total + bound.waitingIn(name), 0);

/**
 * Lets a few run at a time. The others wait here, where they hold nothing that others need. Those
 * that would wait in vain are refused at once; those that waited in vain, when their patience ends.
 */
export class Bound {
  /**
   * In the order of their arrival. No Map: what is deleted from one while somebody iterates over it
   * lives longer, and each read waits here for the end of the turn.
   */
  readonly #places: Place[] = [];
  readonly #patienceMs: number;
  readonly #late: string;
  #timer: NodeJS.Timeout | undefined;

  /** @param late why those are refused that have waited too long */
  constructor(patienceMs: number, late: string) {
    this.#patienceMs = patienceMs;
    this.#late = late;
    bounds.add(this);
  }

  waitingIn(name: string): number {
    return this.#places.filter(({ line }) => line.limit.name === name).length;
  }

  /** Why the next would be refused, if it would. */
  overload(...lines: readonly Line[]): string | undefined {
    const line = lineOfNext(lines);
    return line && isFull(line, this.#patienceMs) ? line.limit.full : undefined;
  }

  /**
   * Runs `use` when there is room for it.
   * @throws Problem 503, at once where too many wait, or when its turn did not come in time
   */
  async run<T>(lines: readonly Line[], use: () => Promise<T>, isGone?: () => boolean): Promise<T> {
    await new Promise<void>((begin, reject) => {
      const fail = (reason?: string) =>
        reject(reason === undefined ? clientLeft() : overloaded(reason));
      this.enter({ lines, begin, fail, isGone });
    });
    const startedAt = performance.now();
    try {
      return await use();
    } finally {
      this.leave(lines, performance.now() - startedAt);
    }
  }

  /**
   * Begins it when there is room for it. Then it has to leave.
   * @param mayBegin whether that may be now, and not only when `proceed` is called
   */
  enter(waiter: Waiter, mayBegin = true): void {
    const { lines } = waiter;
    const line = lineOfNext(lines) ?? lines[0];
    for (const it of lines) it.members += 1;
    if (mayBegin && lines.every(hasRoom)) begin(waiter);
    else if (!line || isFull(line, this.#patienceMs)) refuse(waiter, line?.limit.full);
    else {
      line.waiting += 1;
      this.#places.push({ waiter, since: performance.now(), line });
      this.#watch();
    }
  }

  /** Lets it wait again, where it was: it could not begin after all. */
  putBack(waiter: Waiter, since: number): void {
    const [line] = waiter.lines;
    if (!line) return;
    for (const it of waiter.lines) it.members += 1;
    line.waiting += 1;
    this.#places.push({ waiter, since, line });
    this.#places.sort((a, b) => a.since - b.since);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#watch();
  }

  leave(lines: readonly Line[], milliseconds: number): void {
    for (const line of lines) {
      note(line, milliseconds);
      line.running -= 1;
      part(line);
    }
    this.proceed();
  }

  /** Begins those for whom there is room now, and refuses those who have waited too long. */
  proceed(): void {
    const now = performance.now();
    for (const place of this.#places.slice()) {
      const { waiter, since } = place;
      const all = waiter.lines.at(-1);
      const isLate = now - since >= this.#patienceMs;
      if (!isLate && all && !hasRoom(all)) break;
      if (!isLate && !waiter.lines.every(hasRoom)) continue;
      if (!this.#remove(place)) continue; // another has taken it along
      if (isLate && !waiter.isGone?.()) refuse(waiter, this.#late);
      else begin(waiter);
    }
  }

  /** Lets those go whose clients have left, so that others can wait in their places. */
  dropGone(): void {
    for (const place of this.#places.filter(({ waiter }) => waiter.isGone?.())) {
      this.#remove(place);
      refuse(place.waiter);
    }
  }

  /** Begins some that wait in a line, in the place of the one that has just begun. */
  takeAlong(line: Line, most: number): void {
    const waiting = this.#places.filter(({ waiter }) => waiter.lines.includes(line));
    for (const place of waiting.slice(0, most)) {
      this.#remove(place);
      place.waiter.lines.forEach(part);
      place.waiter.begin();
    }
  }

  /** @returns whether it was there */
  #remove(place: Place): boolean {
    const index = this.#places.indexOf(place);
    if (index === -1) return false;
    this.#places.splice(index, 1);
    place.line.waiting -= 1;
    return true;
  }

  /** Refuses the first when its patience ends. */
  #watch(): void {
    const [first] = this.#places;
    if (this.#timer || !first) return;
    const left = Math.max(0, first.since + this.#patienceMs - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.proceed();
      this.#watch();
    }, left).unref();
  }
}
