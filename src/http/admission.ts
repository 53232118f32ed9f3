import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Pace } from "../database/limiter.ts";

/** So many wait in any case, also behind the slow first requests of a process. */
const FEWEST_WAITING = 50;
const PATIENCE_MS = 1_000;

/** Reads that are begun together go to the database together. More would make a turn long. */
const MOST_IN_A_TURN = 8;

/** For a turn in which requests are begun, as many turns of the event loop may go to new connections alone. */
const MOST_TURNS = 8;

/** A supervisor ends a process that does not answer these. They cost little. */
const HEALTH = /^\/(livez|readyz)(\?|$)/;

/** Whether it asks for the health of the process. */
export const isOfHealth = (url: string): boolean => HEALTH.test(url);

export type Refuse = (request: IncomingMessage, response: ServerResponse, reason: string) => void;

export interface Door {
  /** Does what the request asks for. */
  readonly begin: RequestListener;
  readonly refuse: Refuse;
  /** Why the request would be refused after some work, if it would. */
  readonly overload: (request: IncomingMessage) => string | undefined;
  /** The longest that a request waits for its turn. */
  readonly patienceMs?: number | undefined;
  /** As many are begun in one turn of the event loop. */
  readonly mostInATurn?: number | undefined;
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const lines = new Set<readonly Waiting[]>();
const arrivals = new WeakMap<IncomingMessage, number>();

/** How many requests wait for the processor. */
export const waitingForProcessor = (): number =>
  [...lines].reduce((total, { length }) => total + length, 0);

/** When a request came that is begun now. */
export const arrivalOf = (request: IncomingMessage): number =>
  arrivals.get(request) ?? performance.now();

/**
 * Begins a few requests in each turn of the event loop; the others wait in line. Those that would not
 * have their turn in half of their patience, at the pace of the last ones, are refused before any
 * work is done for them.
 *
 * Node by itself begins all that it can read, so with too much to do a turn takes as long as all of
 * that, and takes only one new connection: nobody is refused, and a supervisor is not heard.
 */
export function admit(door: Door): RequestListener {
  const { begin, refuse, overload } = door;
  const { patienceMs = PATIENCE_MS, mostInATurn = MOST_IN_A_TURN } = door;
  // The first requests of a process take longer than the others: they count little.
  const pace = new Pace(0);
  const line: Waiting[] = [];
  lines.add(line);
  let begun = 0;
  let begunAt = 0;
  const sockets = new WeakSet<Socket>();
  let hasNewcomer = false;
  let turnsLeft = 0;

  function take(request: IncomingMessage, response: ServerResponse): void {
    if (begun === 0) {
      begunAt = performance.now();
      turnsLeft = MOST_TURNS;
      setImmediate(nextTurn);
    }
    begun += 1;
    begin(request, response);
  }

  function nextTurn(): void {
    if (hasNewcomer && turnsLeft > 0) {
      hasNewcomer = false;
      turnsLeft -= 1;
      setImmediate(nextTurn);
      return;
    }
    const now = performance.now();
    if (line.length > 0) pace.note((now - begunAt) / begun);
    begun = 0;
    while (begun < mostInATurn) {
      const next = line.shift();
      if (next === undefined) return;
      const { request, response } = next;
      if (request.socket.destroyed) continue; // nobody would read the answer
      if (now - arrivalOf(request) > patienceMs) {
        refuse(request, response, "the requests before it took too long");
        continue;
      }
      take(request, response);
    }
  }

  return (request, response) => {
    if (!sockets.has(request.socket)) {
      sockets.add(request.socket);
      hasNewcomer = true;
    }
    if (isOfHealth(request.url ?? "")) return begin(request, response);
    const reason = overload(request);
    if (reason !== undefined) return refuse(request, response, reason);
    if (begun < mostInATurn) return take(request, response);
    if (line.length >= pace.mostWaiting(1, patienceMs, FEWEST_WAITING)) {
      return refuse(request, response, "too many requests wait for the processor");
    }
    arrivals.set(request, performance.now());
    line.push({ request, response });
  };
}
