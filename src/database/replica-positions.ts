/** A place in PostgreSQL's log of changes: how many bytes it is from the beginning (an LSN). */
type Position = bigint;

/** How old the answer of a replica may be. */
const MOST_AGE_MS = 5_000;
export const REFRESH_MS = 1_000;

/** What a replica must have repeated before its answer is used. */
export interface Positions {
  /** For anybody. Undefined where nobody knows how old an answer would be. */
  forAll(): Position | undefined;
  /** For one caller: their own writes too. Undefined while their last one is not placed. */
  forCaller(sub: string): Position | undefined;
  /** Runs what may write in the name of a caller, whatever its end. */
  during<T>(sub: string, write: () => Promise<T>): Promise<T>;
  /** Called before people hear of a write. Everybody who reads after this call reads that write. */
  told(): void;
  /** Learns where the primary is. */
  refresh(): Promise<void>;
}

/** Stands for all callers, for what they have heard of. No caller has this name. */
const EVERYBODY = "";

interface Mark {
  readonly position: Position;
  /** The primary was there at this time or later. */
  readonly at: number;
}

/**
 * Asks the primary for its position behind each write, once for all writes that end while an older
 * question runs, and each second besides. The positions of the last seconds are marks: a replica
 * that has reached the oldest of them is younger than that. A write is forgotten once all marks are
 * behind it, for then nobody reads from a replica that has not repeated it.
 */
export function trackPositions(
  ask: () => Promise<Position>,
  mostAgeMs = MOST_AGE_MS,
  now = () => performance.now(),
): Positions {
  let marks: readonly Mark[] = [];
  const written = new Map<string, Position>();
  const unplaced = new Map<string, number>();

  const learn = oneAfterAnother(async () => {
    const at = now();
    try {
      const position = await ask();
      if (at - (marks.at(-1)?.at ?? -Infinity) > REFRESH_MS / 2) mark({ position, at });
      return position;
    } catch (error) {
      // A write may remain without a place. The next mark is behind it, and until then nobody reads.
      marks = [];
      throw error;
    }
  });

  function mark(newest: Mark): void {
    marks = [...marks.filter(({ at }) => newest.at - at < mostAgeMs), newest];
    const [oldest = newest] = marks;
    for (const [sub, position] of written) {
      if (position <= oldest.position) written.delete(sub);
    }
  }

  const forAll = () => marks.find(({ at }) => now() - at < mostAgeMs)?.position;

  /** Until its place is known, nobody whom it concerns reads from a replica. */
  function begin(sub: string): void {
    unplaced.set(sub, (unplaced.get(sub) ?? 0) + 1);
  }

  async function place(sub: string): Promise<void> {
    const position = await learn().catch(() => undefined);
    if (position !== undefined) written.set(sub, position);
    const left = (unplaced.get(sub) ?? 1) - 1;
    if (left > 0) unplaced.set(sub, left);
    else unplaced.delete(sub);
  }

  return {
    forAll,
    forCaller: (sub) => {
      const least = forAll();
      if (least === undefined || unplaced.has(sub) || unplaced.has(EVERYBODY)) return undefined;
      const known = [written.get(sub) ?? 0n, written.get(EVERYBODY) ?? 0n];
      return known.reduce((latest, position) => (position > latest ? position : latest), least);
    },
    told: () => {
      begin(EVERYBODY);
      void place(EVERYBODY);
    },
    during: async (sub, write) => {
      begin(sub);
      try {
        return await write();
      } finally {
        void place(sub); // the answer need not wait for it
      }
    },
    refresh: async () => {
      await learn().catch(() => {});
    },
  };
}

/** Who asks while a question runs waits for the next one, and shares its answer with the others. */
function oneAfterAnother<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () => {
    next ??= last.then(() => {
      next = undefined;
      const answer = ask();
      last = answer.catch(() => {});
      return answer;
    });
    return next;
  };
}
