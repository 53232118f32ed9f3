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
  readonly caused: readonly Fault[];
  /** The last event before it. */
  readonly since: string;
  readonly keepsRest: boolean;
}

/** Lets all people of the plan act at once, each one step after the other. */
export async function record(
  arena: Arena,
  target: Target,
  cast: Cast,
  plan: Plan,
): Promise<History> {
  const since = await lastEvent(arena);
  const places = cast.owners.map((owner) => placeOf(owner, plan.keepsRest));
  const { operations, perform } = recorderOf(target);
  const act = async (actor: Actor, number: number, action: Action): Promise<void> => {
    const operation = await perform(actor, number, action);
    for (const place of places) note(place, operation);
  };
  const planned = faultsOf(target, plan.faults);

  for (const [i, owner] of cast.owners.entries()) {
    await act(owner, -1 - i, { kind: "register spot", spotNumber: `H-first-${i}` });
  }
  const actAll = async (actor: Actor, steps: readonly Step[]): Promise<void> => {
    for (const step of steps) {
      planned.count();
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
  if (planned.failures.length > 0) {
    throw new AggregateError(planned.failures, "a fault could not be caused");
  }
  return { cast, operations, caused: planned.caused, since, keepsRest: plan.keepsRest };
}

interface PlannedFaults {
  readonly caused: readonly Fault[];
  readonly failures: readonly unknown[];
  /** Counts an operation that begins; a fault that is due happens while it lasts. */
  count(): void;
}

function faultsOf(target: Target, faults: readonly PlannedFault[]): PlannedFaults {
  const caused: Fault[] = [];
  const failures: unknown[] = [];
  let started = 0;
  return {
    caused,
    failures,
    count: () => {
      started += 1;
      for (const { fault } of faults.filter(({ after }) => after === started)) {
        void target.cause(fault).then(
          () => caused.push(fault),
          (error: unknown) => failures.push(error),
        );
      }
    },
  };
}
