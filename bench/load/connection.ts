import type { Request } from "autocannon";
import type { Script, Step } from "./script.ts";

const HOUR = 3_600_000;
/** Every `{start}` of a run is another hour, so that no two windows of a spot overlap. */
let hours = Date.UTC(2100, 0, 1) / HOUR;

export interface Connection {
  /** The only request that autocannon knows: it becomes each step of the script in turn. */
  readonly request: Request;
  /** Whether the last answer ended the script. */
  isComplete(): boolean;
}

/**
 * What autocannon sends for a script. A request that is always the same is built once, and its
 * answers are not read: the generator shares the processors.
 */
export function connectionOf({ token, steps }: Script, fail: (reason: string) => void): Connection {
  const headers = { authorization: `Bearer ${token}` };
  const requestOf = ({ method, path, body }: Step): Request => ({
    method,
    path: fillIn(path, kept),
    headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
    body: body === undefined ? undefined : fillIn(body, kept),
  });
  let kept: string | undefined;
  let index = -1;
  let current: Step | undefined;

  function nextStep(): Step {
    index = (index + 1) % steps.length;
    const step = steps[index];
    if (step === undefined) throw new Error("a script without steps");
    current = step;
    return kept === undefined && uses(step, "{kept}") ? nextStep() : step;
  }

  const [only] = steps;
  if (only !== undefined && steps.length === 1 && !isDynamic(only)) {
    return { request: requestOf(only), isComplete: () => true };
  }
  return {
    request: {
      setupRequest: (request) => ({ ...request, ...requestOf(nextStep()) }),
      onResponse(status, text) {
        if (current === undefined) return;
        const { method, path, statuses, keep, refuse } = current;
        const isRight = statuses.includes(status) && !(refuse && text.includes(refuse));
        if (!isRight) fail(`${method} ${path} gave ${status}: ${text}`);
        if (keep !== undefined) kept = new RegExp(keep).exec(text)?.[1];
        else if (uses(current, "{kept}")) kept = undefined;
      },
    },
    isComplete: () => kept === undefined,
  };
}

const uses = ({ path, body = "" }: Step, placeholder: string): boolean =>
  path.includes(placeholder) || body.includes(placeholder);

const isDynamic = (step: Step): boolean =>
  step.keep !== undefined || step.refuse !== undefined || uses(step, "{start}");

function fillIn(text: string, kept = ""): string {
  if (!text.includes("{")) return text;
  const timed = text.includes("{start}") ? withTimes(text) : text;
  return timed.replaceAll("{kept}", kept);
}

function withTimes(text: string): string {
  hours += 1;
  const at = (hour: number) => new Date(hour * HOUR).toISOString();
  return text.replaceAll("{start}", at(hours)).replaceAll("{end}", at(hours + 1));
}
