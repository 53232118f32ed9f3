import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Bound, linesOf } from "./bound.ts";

const PATIENCE_MS = 1_000;

/** Reads that begin together go to the database together. More would make a turn long. */
const MOST_IN_A_TURN = 8;

/** At least this many may wait, also behind the slow first requests of a process. */
const FEWEST_WAITING = 50;

/** How many turns count most in their average. */
const TURNS = 20;

/** For a turn in which requests begin, this many turns of the event loop may go to new connections alone. */
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
  /** How many begin in one turn of the event loop. */
  readonly mostInATurn?: number | undefined;
}

const arrivals = new WeakMap<IncomingMessage, number>();

/** When a request came that begins now. */
export const arrivalOf = (request: IncomingMessage): number =>
  arrivals.get(request) ?? performance.now();

/**
 * Begins a few requests in each turn of the event loop; the others wait in line. Those that would not
 * have their turn in time are refused before any work is done for them.
 *
 * Node by itself begins all that it can read: with too much to do a turn takes as long as all of
 * that.
 */
export function admit(door: Door): RequestListener {
  const { begin, refuse, overload } = door;
  const { patienceMs = PATIENCE_MS, mostInATurn = MOST_IN_A_TURN } = door;
  const bound = new Bound(patienceMs, "the requests before it took too long");
  const inTurn = linesOf({
    name: "processor",
    running: mostInATurn,
    fewest: FEWEST_WAITING,
    turns: TURNS * mostInATurn,
    full: "too many requests wait for the processor",
  });
  const sockets = new WeakSet<Socket>();
  let hasNewcomer = false;
  let turnsLeft = 0;
  let started = 0;
  let startedAt = 0;

  function take(request: IncomingMessage, response: ServerResponse): void {
    if (started === 0) {
      startedAt = performance.now();
      turnsLeft = MOST_TURNS;
      setImmediate(endTurn);
    }
    started += 1;
    begin(request, response);
  }

  function endTurn(): void {
    if (hasNewcomer && turnsLeft > 0) {
      hasNewcomer = false;
      turnsLeft -= 1;
      setImmediate(endTurn);
      return;
    }
    const [count, milliseconds, line] = [started, performance.now() - startedAt, inTurn()];
    started = 0;
    for (let i = 0; i < count; i++) bound.leave([line], milliseconds);
  }

  return (request, response) => {
    if (!sockets.has(request.socket)) {
      sockets.add(request.socket);
      hasNewcomer = true;
    }
    if (isOfHealth(request.url ?? "")) return begin(request, response);
    const reason = overload(request);
    if (reason !== undefined) return refuse(request, response, reason);
    if (started >= mostInATurn) arrivals.set(request, performance.now());
    bound.enter({
      lines: [inTurn()],
      begin: () => take(request, response),
      fail: (why) => {
        if (why !== undefined) refuse(request, response, why);
      },
      isGone: () => request.socket.destroyed,
    });
  };
}
