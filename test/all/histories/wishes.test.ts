import { describe, expect, it } from "@jest/globals";
import { expectConsistency } from "../../concurrency/consistency.ts";
import { castOf } from "../../histories/cast.ts";
import { record } from "../../histories/history.ts";
import { lastEvent } from "../../histories/log.ts";
import { planOf } from "../../histories/plan.ts";
import type { Recorded } from "../../histories/recorded.ts";
import { seeds } from "../../histories/seeds.ts";
import { steadyTarget } from "../../histories/target.ts";
import { tryOut } from "../../histories/trial.ts";
import { letWait, tellingTarget, wrongWishes } from "../../histories/wishes.ts";
import { keepRest } from "../../rules/rest.ts";
import { type Arena, openArena } from "../../support/arena.ts";
import { effort } from "../../support/effort.ts";
import { setLimits } from "../../support/limits.ts";
import { tell } from "../../support/wishes.ts";

const size = { owners: 2, residents: 6, administrators: 1, stepsOfEach: effort(30, 70), faults: 0 };
const TIMEOUT_MS = 300_000;

describe("what happens to those who wait while all act at once", () => {
  it.each(seeds)(
    "is as the log says, and changes no history (seed %i)",
    async (seed) => {
      let since = "";
      let waiting = 0;
      const { problems } = await tryOut({
        seed,
        size,
        targetOf: tellingTarget,
        prepare: async (arena) => {
          await letWait(arena);
          since = await lastEvent(arena);
        },
        inspect: async (arena) => {
          await tell(arena);
          expect(await wrongWishes(arena, since)).toEqual([]);
          await expectConsistency(arena);
          waiting = (await arena.rows("select from parking.notifications where kind = 'wish.fits'"))
            .length;
        },
      });
      expect(problems.join("\n\n")).toBe("");
      expect(waiting).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});

interface Way {
  readonly prepare?: (arena: Arena) => Promise<unknown>;
  readonly isRestKept?: boolean;
  readonly tells?: boolean;
}

/** Windows are offered in turn, for longer than a history lasts. What is wrong with the wishes then? */
async function offersOf(seed: number, { prepare, isRestKept = false, tells = true }: Way = {}) {
  const arena = await openArena(10);
  try {
    const cast = await castOf(arena, size);
    await setLimits(arena, { offer_minutes: 30 });
    await keepRest(arena, isRestKept);
    await letWait(arena);
    await prepare?.(arena);
    const { since, operations } = await record(
      arena,
      tells ? tellingTarget(arena) : steadyTarget(arena),
      cast,
      planOf(seed, size),
    );
    if (tells) await tell(arena);
    if (!prepare) await expectConsistency(arena);
    return { wrong: await wrongWishes(arena, since), operations };
  } finally {
    await arena.close();
  }
}

describe("what happens where windows are offered in turn", () => {
  it.each(
    seeds.flatMap((seed) => [
      [seed, "", false] as const,
      [seed, " and the rest stays", true] as const,
    ]),
  )(
    "is as the log says (seed %i)%s",
    async (seed, _, isRestKept) => {
      const mustWait = ({ outcome }: Recorded) =>
        outcome.result === "refused" && outcome.code === "claims_wait_for_offers";
      // In some histories nobody has to: that depends on who comes first.
      let hasWaited = false;
      for (let next = seed; next < seed + 5 && !hasWaited; next++) {
        const { wrong, operations } = await offersOf(next, { isRestKept });
        expect(wrong).toEqual([]);
        hasWaited = operations.some(mustWait);
      }
      expect(hasWaited).toBe(true);
    },
    TIMEOUT_MS,
  );
});

const without = (trigger: string): Way => ({
  prepare: ({ superuser }) => superuser.query(`drop trigger ${trigger} on parking.claims`),
});
const broken: readonly (readonly [string, Way, string])[] = [
  ["fulfil_wishes", without("fulfil_wishes"), "a claim did not fulfil it"],
  [
    "claims_wait_for_offers",
    without("claims_wait_for_offers"),
    "somebody else claimed what was offered",
  ],
  ["the job", { tells: false }, "nobody told of a window"],
];

describe("the check of wishes", () => {
  it.each(broken)(
    "fails without %s",
    async (_name, way, problem) => {
      const found: unknown[] = [];
      // In some histories nothing comes of it.
      for (let seed = 1; seed <= 5 && found.length === 0; seed++) {
        const { wrong } = await offersOf(seed, way);
        found.push(...wrong.filter((it) => it.wrong === problem));
      }
      expect(found).not.toEqual([]);
    },
    TIMEOUT_MS,
  );
});
