import type { Arena } from "../support/arena.ts";
import { actionOf, note, placeOf } from "./board.ts";
import type { Actor, Cast } from "./cast.ts";
import type { Fault } from "./faults.ts";
import { lastEvent } from "./log.ts";
import type { Plan, PlannedFault, Step } from "./plan.ts";
import type { Action, Recorded } from "./recorded.ts";
import { recorderOf } from "./recorder.ts";
import type { Target } from "./target.ts";

/** What the clients recorded. */
export interface History {
  readonly cast: Cast;
  readonly operations: readonly Recorded[];
  /** The faults that happened while it lasted. */
  readonly struck: readonly Fault[];
  /** The last event before it. */
  readonly since: string;
}

/** Lets all people of the plan act at once, each one step after the other. */
export async function record(
  arena: Arena,
  target: Target,
  cast: Cast,
  plan: Plan,
): Promise<History> {
  const since = await lastEvent(arena);
  const places = cast.owners.map(placeOf);
  const { operations, perform } = recorderOf(target);
  const act = async (actor: Actor, number: number, action: Action): Promise<void> => {
    const operation = await perform(actor, number, action);
    for (const place of places) note(place, operation);
  };
  const strikes = strikesOf(target, plan.faults);

  for (const [i, owner] of cast.owners.entries()) {
    await act(owner, -1 - i, { kind: "register spot", spotNumber: `H-first-${i}` });
  }
  const actAll = async (actor: Actor, steps: readonly Step[]): Promise<void> => {
    for (const step of steps) {
      strikes.count();
      const place = places[step.place];
      if (place === undefined) throw new Error(`there is no place ${step.place}`);
      await act(actor, step.number, actionOf(step, actor, place, cast.suspects));
    }
  };
  try {
    await Promise.all(cast.people.map((actor, i) => actAll(actor, plan.steps[i] ?? [])));
  } finally {
    await target.close();
  }
  if (strikes.failures.length > 0) {
    throw new AggregateError(strikes.failures, "a fault could not be made");
  }
  return { cast, operations, struck: strikes.struck, since };
}

interface Strikes {
  readonly struck: readonly Fault[];
  readonly failures: readonly unknown[];
  /** Counts an operation that begins; a fault that is due strikes while it lasts. */
  count(): void;
}

function strikesOf(target: Target, faults: readonly PlannedFault[]): Strikes {
  const struck: Fault[] = [];
  const failures: unknown[] = [];
  let begun = 0;
  return {
    struck,
    failures,
    count: () => {
      begun += 1;
      for (const { fault } of faults.filter(({ after }) => after === begun)) {
        void target.strike(fault).then(
          () => struck.push(fault),
          (error: unknown) => failures.push(error),
        );
      }
    },
  };
}
