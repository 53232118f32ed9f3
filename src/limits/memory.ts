import { type Counter, type Limit, type Standings, standingOf } from "./counters.ts";

/** Answers at once. */
export interface MemoryCounter extends Counter {
  charge(limits: readonly Limit[], key: string, points: number): Standings;
  /** What a charge would find; it charges nothing. */
  look(limits: readonly Limit[], key: string): Standings;
}

interface Window {
  charged: number;
  readonly endsAt: number;
}

/** For a single process. A key uses memory until its window has ended and another is opened. */
export function countInMemory(): MemoryCounter {
  /** By the limit's name, and then by key. Those of a limit last equally long, so the first end first. */
  const windows = new Map<string, Map<string, Window>>();

  function windowsOf({ name }: Limit): Map<string, Window> {
    const known = windows.get(name);
    if (known) return known;
    const none = new Map<string, Window>();
    windows.set(name, none);
    return none;
  }

  function find(limit: Limit, key: string): Window | undefined {
    const found = windowsOf(limit).get(key);
    return found && found.endsAt > performance.now() ? found : undefined;
  }

  function open(limit: Limit, key: string): Window {
    const now = performance.now();
    const all = windowsOf(limit);
    for (const [other, { endsAt }] of all) {
      if (endsAt > now) break;
      all.delete(other);
    }
    const opened = { charged: 0, endsAt: now + limit.seconds * 1_000 };
    all.set(key, opened);
    return opened;
  }

  function charge(limits: readonly Limit[], key: string, points: number): Standings {
    let left = points;
    return limits.flatMap((limit) => {
      const window = find(limit, key) ?? (left > 0 ? open(limit, key) : undefined);
      if (!window) return [];
      window.charged += left;
      const standing = standingOf(limit, window.charged, window.endsAt);
      if (standing.isExceeded) left = 0;
      return [standing];
    });
  }
  return { charge, look: (limits, key) => charge(limits, key, 0) };
}
