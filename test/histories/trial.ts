import { keepRest } from "../rules/rest.ts";
import { type Arena, openArena } from "../support/arena.ts";
import { castOf } from "./cast.ts";
import { type History, record } from "./history.ts";
import { planOf, type Size } from "./plan.ts";
import type { Target } from "./target.ts";
import { type Verdict, verdictOn } from "./verdict.ts";

export interface Trial {
  readonly seed: number;
  readonly size: Size;
  readonly targetOf: (arena: Arena) => Promise<Target> | Target;
  /** What else is looked at when all is over. */
  readonly inspect?: (arena: Arena) => Promise<unknown>;
}

/** Lets the people of one seed use a building of their own, and decides whether the history could be. */
export async function tryOut({ seed, size, targetOf, inspect }: Trial): Promise<History & Verdict> {
  const arena = await openArena(10);
  try {
    const cast = await castOf(arena, size);
    if (size.keepsRest) await keepRest(arena);
    const history = await record(arena, await targetOf(arena), cast, planOf(seed, size));
    await inspect?.(arena);
    return { ...history, ...(await verdictOn(arena, history)) };
  } finally {
    await arena.close();
  }
}
