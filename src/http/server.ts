import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Answer } from "./answer.ts";
import { listenTo } from "./unreadable.ts";
import { pathOf } from "./well-formed.ts";

/** How long clients may take, in milliseconds. */
export interface Timeouts {
  /** For the headers of a request: with Node's default of a minute, slow clients hold many connections. */
  readonly headersTimeout: number;
  /** For a whole request; the largest is a list of invitations, 256 kB. */
  readonly requestTimeout: number;
  /** How often the two are enforced. */
  readonly connectionsCheckingInterval: number;
  /** For the next request: longer than load balancers keep an idle connection. */
  readonly keepAliveTimeout: number;
  /** To send a request and take the answer to it. */
  readonly exchangeTimeout: number;
}

const usualTimeouts: Timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  exchangeTimeout: 60_000,
};

export function createHttpServer(listener: RequestListener, given: Partial<Timeouts> = {}): Server {
  const { exchangeTimeout, ...timeouts } = { ...usualTimeouts, ...given };
  // A request without Host gets the answer of ./well-formed.ts.
  const server = createServer({ ...timeouts, requireHostHeader: false, ServerResponse: Answer });
  listenTo(server, cutSlowReaders(listener, exchangeTimeout));
  return server;
}

/** What cuts off a client that takes too long. */
const patienceWith = new WeakMap<ServerResponse, NodeJS.Timeout>();

/** Lets an answer go on for as long as it likes. It has to see to slow readers by itself. */
export const mayLast = (response: ServerResponse): void => clearTimeout(patienceWith.get(response));

/** Browsers send one request at a time. */
const MOST_UNANSWERED = 10;

/**
 * Cuts off clients that do not read: each answer stays in memory until its client has taken it. So a
 * connection has few requests at a time, and each must be over some time after its arrival.
 */
function cutSlowReaders(listener: RequestListener, milliseconds: number): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > MOST_UNANSWERED) {
      socket.destroy();
      return;
    }
    unanswered.set(socket, count);
    const patience = setTimeout(() => socket.destroy(), milliseconds).unref();
    patienceWith.set(response, patience);
    response.once("close", () => {
      clearTimeout(patience);
      unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1);
    });
    request.url = pathOf(request.url ?? "");
    listener(request, response);
  };
}
