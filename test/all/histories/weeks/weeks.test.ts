import { describe, expect, it } from "@jest/globals";
import { expectConsistency } from "../../../concurrency/consistency.ts";
import { seeds } from "../../../histories/seeds.ts";
import { keepRest } from "../../../rules/rest.ts";
import { type Arena, openArena } from "../../../support/arena.ts";
import { effort } from "../../../support/effort.ts";
import { setPatternDays } from "../../../support/patterns.ts";
import { recordWeek, type WeekHistory } from "./record.ts";
import { problemsOf } from "./verdict.ts";

const size = { claimers: 4, stepsOfEach: effort(40, 80) };
const TIMEOUT_MS = 300_000;

async function tryOut(
  seed: number,
  prepare?: (arena: Arena) => Promise<unknown>,
): Promise<WeekHistory & { readonly problems: string }> {
  const arena = await openArena(10);
  try {
    await keepRest(arena);
    await setPatternDays(arena, 365);
    await prepare?.(arena);
    const history = await recordWeek(arena, seed, size);
    if (!prepare) await expectConsistency(arena);
    return { ...history, problems: (await problemsOf(arena, history)).join("\n\n") };
  } finally {
    await arena.close();
  }
}

describe("what people see of a plan that its owner changes while they claim", () => {
  it.each(seeds)(
    "is possible (seed %i)",
    async (seed) => {
      const { operations, problems } = await tryOut(seed);
      expect(problems).toBe("");
      const happened = operations.filter(({ outcome }) => outcome.result === "happened");
      expect(new Set(happened.map(({ action }) => action.kind)).size).toBeGreaterThan(7);
    },
    TIMEOUT_MS,
  );
});

/** What sets anew what is on offer, when rows of this table change. */
const reconciling = (table: string) => `
  do $$
  declare
    v_name name;
  begin
    for v_name in
      select tgname
        from pg_trigger
       where tgrelid = 'parking.${table}'::regclass
         and starts_with(tgname, 'reconcile')
    loop
      execute format('drop trigger %I on parking.${table}', v_name);
    end loop;
  end;
  $$`;

/** A rule, or a function with an effect, and how it is dropped. */
const dropped: readonly (readonly [string, string])[] = [
  [
    "kept_times",
    `create or replace function private.kept_times(spot_id uuid, until timestamptz)
       returns tstzmultirange language sql return '{}'::tstzmultirange`,
  ],
  ["reconcile after claims", reconciling("claims")],
  ["reconcile after exceptions", reconciling("exceptions")],
  ["reconcile after patterns", reconciling("patterns")],
  ["mark_availability", "drop trigger mark_availability on parking.claims"],
  ["record_update", "drop trigger record_update on parking.patterns"],
];

describe("the check of plans", () => {
  it.each(dropped.slice(0, effort(3, dropped.length)))(
    "fails without %s",
    async (_name, drop) => {
      let found = "";
      // In some histories nothing comes of it.
      for (let seed = 1; seed <= 20 && found === ""; seed++) {
        ({ problems: found } = await tryOut(seed, ({ superuser }) => superuser.query(drop)));
      }
      expect(found).toMatch(/The history is impossible|ended with/);
    },
    TIMEOUT_MS,
  );
});
