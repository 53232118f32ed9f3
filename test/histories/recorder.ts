import type { Actor } from "./cast.ts";
import type { Action, Outcome, Recorded } from "./recorded.ts";
import { requestOf } from "./request.ts";
import type { Target } from "./target.ts";

/** Sends what people ask, and records it. */
export interface Recorder {
  readonly operations: readonly Recorded[];
  perform(actor: Actor, number: number, action: Action): Promise<Recorded>;
}

export function recorderOf(target: Target): Recorder {
  const operations: Recorded[] = [];
  let clock = 0;
  const tick = (): number => {
    clock += 1;
    return clock;
  };
  return {
    operations,
    perform: async (actor, number, action) => {
      await target.isUp();
      const sent = tick();
      const outcome = await outcomeOf(target, actor, action);
      const answered = tick();
      const operation = {
        number,
        person: actor.id,
        isAdministrator: actor.isAdministrator,
        sent,
        answered: outcome.result === "unknown" ? null : answered,
        action,
        outcome,
      };
      operations.push(operation);
      return operation;
    },
  };
}

/** What fetch throws where there is no answer. It is no instance of the classes that Jest has here. */
const NO_ANSWER = ["TypeError: fetch failed", "TypeError: terminated"];

async function outcomeOf(target: Target, actor: Actor, action: Action): Promise<Outcome> {
  try {
    const request = requestOf(action, actor.isAdministrator);
    const { status, body, code } = await target.ask(actor, request);
    if (status < 300) return { result: "happened", body };
    const why = code ?? String(status);
    return status < 500 ? { result: "refused", code: why } : { result: "unknown", why };
  } catch (error) {
    if (NO_ANSWER.includes(String(error))) return { result: "unknown", why: "no answer" };
    throw error;
  }
}
