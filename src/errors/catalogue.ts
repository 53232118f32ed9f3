import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Pool } from "pg";

/** A rule as the database describes it (view private.rules). */
export interface Rule {
  readonly name: string;
  readonly table: string;
  readonly status: number;
  /** Null if its comment contains only tags. */
  readonly message: string | null;
  /** The message in other languages, such as `de`. */
  readonly translations: Readonly<Record<string, string>>;
  /** The field of the request that the rule is about. */
  readonly field: string | null;
  /** The statements that can break it. */
  readonly verbs: readonly string[];
  /** The columns that it checks; null if any write can break it. */
  readonly columns: readonly string[] | null;
  /** Whether the service may insert into one of its columns. */
  readonly insertable: boolean;
}

/** The rules of one moment. If they change, there is a new object. */
export interface Rules {
  readonly list: readonly Rule[];
  /** The message of a 404, for each table whose rows clients name by id. */
  readonly absences: ReadonlyMap<string, string>;
}

export interface RuleCatalogue {
  /** The rule with this name as the database has it now; undefined if no rule has the name. */
  find(name: string): Promise<Rule | undefined>;
  /** All rules, at most a second old. */
  all(): Promise<Rules>;
  /** All rules, at most a minute old: anybody may ask for them, as often as they like. */
  forStrangers(): Promise<Rules>;
}

/** The longest time until a DBA's new message is used. A new rule is found at once. */
const FRESH_FOR_MS = 1000;
const FRESH_FOR_STRANGERS_MS = 60_000;

/**
 * Reads the rule catalogue of the database at the start, again for a name that it does not know,
 * and again when it is older than a second. So rules can change without a restart.
 */
export async function readRuleCatalogue(pool: Pool): Promise<RuleCatalogue> {
  let rules: Rules = { list: [], absences: new Map() };
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const found = await readRules(pool);
    readAt = performance.now();
    if (!isDeepStrictEqual(found, rules)) rules = found;
  }
  function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }
  const isFresh = (milliseconds: number) => performance.now() - readAt < milliseconds;
  const freshFor = async (milliseconds: number) => {
    if (!isFresh(milliseconds)) await refresh().catch(() => {}); // old rules are better than none
    return rules;
  };
  const known = (name: string) => rules.list.find((rule) => rule.name === name);

  await refresh();
  return {
    async find(name) {
      if (!isFresh(FRESH_FOR_MS) || !known(name)) {
        await refresh().catch((error) => {
          // The last message of a known rule is better than no answer.
          if (!known(name)) throw error;
        });
      }
      return known(name);
    },
    all: () => freshFor(FRESH_FOR_MS),
    forStrangers: () => freshFor(FRESH_FOR_STRANGERS_MS),
  };
}

const SQL = readFileSync(join(import.meta.dirname, "catalogue.sql"), "utf8");

async function readRules(pool: Pool): Promise<Rules> {
  const { rows } = await pool.query<{ list: Rule[]; absences: Record<string, string> }>(SQL);
  const [{ list, absences } = { list: [], absences: {} }] = rows;
  return { list, absences: new Map(Object.entries(absences)) };
}
