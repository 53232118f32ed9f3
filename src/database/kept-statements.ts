import { LRUCache } from "lru-cache";
import type { Connection } from "pg";

/** For a statement that PostgreSQL has planned it needs 80 kB, in each connection. */
const MOST_KEPT = 100;

/** What a connection may have under a name. */
export interface Kept {
  /** False while nobody knows: it was sent, and PostgreSQL may have skipped it. */
  isParsed: boolean;
}

export interface KeptStatements {
  /** The statement of this name; it may take the place of the one that was used least lately. */
  use(name: string): Kept;
  /** The names of those that lost their place since this was last asked. */
  takeOutdone(): readonly string[];
  /** From now on nobody knows whether the connection has what it had. */
  doubt(): void;
}

const keptBy = new WeakMap<Connection, KeptStatements>();

/** The named statements of a connection: those that were used last. */
export function keptStatementsOf(connection: Connection): KeptStatements {
  const known = keptBy.get(connection);
  if (known) return known;
  const made = keepStatements();
  keptBy.set(connection, made);
  return made;
}

function keepStatements(): KeptStatements {
  let outdone: string[] = [];
  const kept = new LRUCache<string, Kept>({
    max: MOST_KEPT,
    memoMethod: () => ({ isParsed: false }),
    dispose: (_kept, name) => outdone.push(name),
  });
  return {
    use: (name) => kept.memo(name),
    takeOutdone() {
      const names = outdone;
      outdone = [];
      return names;
    },
    doubt() {
      for (const it of kept.values()) it.isParsed = false;
    },
  };
}
