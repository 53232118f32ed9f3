import type { Pool } from "pg";

/** What a rule says to whom it refuses: the comment of the constraint, trigger or policy. */
export interface Rule {
  readonly name: string;
  /** Null where nobody has written one. */
  readonly message: string | null;
  /** Null where the status follows from the SQLSTATE. */
  readonly status: number | null;
  /** The request's field that the rule is about. */
  readonly field: string | null;
}

export interface RuleCatalogue {
  /** The rule of this name as the database has it now; undefined for a name that is no rule's. */
  find(name: string): Promise<Rule | undefined>;
}

/** How long a DBA's new message may take to be seen; a new rule is seen at once. */
const FRESH_FOR_MS = 1000;

/**
 * Reads the rule catalogue of the database (view private.rules): at start, again for a name it does
 * not know, and again when it is not fresh any more, so that rules change without a restart.
 */
export async function readRuleCatalogue(pool: Pool): Promise<RuleCatalogue> {
  let rules: ReadonlyMap<string, Rule> = new Map();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    const result = await pool.query<Rule>("select name, message, status, field from private.rules");
    rules = new Map(result.rows.map((rule) => [rule.name, rule]));
    readAt = performance.now();
  };
  const readOnce = (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };

  await readOnce();
  return {
    async find(name) {
      const fresh = performance.now() - readAt < FRESH_FOR_MS;
      if (!fresh || !rules.has(name)) {
        await readOnce().catch((error) => {
          // What a known rule said a moment ago is a better answer than none.
          if (!rules.has(name)) throw error;
        });
      }
      return rules.get(name);
    },
  };
}
