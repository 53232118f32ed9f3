import { LRUCache } from "lru-cache";
import type { Connection } from "pg";
import { oncePer } from "../lazy.ts";

/** For a statement that PostgreSQL has planned it needs 80 kB, in each connection. */
const MOST_KEPT = 100;

/** What a connection may have under a name. */
export interface Kept {
  /** False while nobody knows: it was sent, and PostgreSQL may have skipped it. */
  isParsed: boolean;
}

/** The named statements of a connection: those that were used last. */
class KeptStatements {
  #outdone: string[] = [];
  readonly #kept = new LRUCache<string, Kept>({
    max: MOST_KEPT,
    memoMethod: () => ({ isParsed: false }),
    dispose: (_kept, name) => this.#outdone.push(name),
  });

  /** The statement of this name; it may take the place of the one that was used least lately. */
  use(name: string): Kept {
    return this.#kept.memo(name);
  }

  /** The names of those that lost their place since this was last asked. */
  takeOutdone(): readonly string[] {
    const names = this.#outdone;
    this.#outdone = [];
    return names;
  }

  /** From now on nobody knows whether the connection has what it had. */
  doubt(): void {
    for (const it of this.#kept.values()) it.isParsed = false;
  }
}

export const keptStatementsOf = oncePer((_connection: Connection) => new KeptStatements());
