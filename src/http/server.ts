import { createServer, type RequestListener, type Server } from "node:http";
import { withPath } from "./request-target.ts";
import { cutSlowReaders } from "./slow-readers.ts";
import { listenTo } from "./unreadable.ts";

/** How long clients may take, in milliseconds. */
export interface Timeouts {
  /** For the headers of a request: with Node's default of a minute, slow clients hold many connections. */
  readonly headersTimeout: number;
  /** For a whole request; the largest is 100 kB. */
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
  // A request without Host gets the answer of ./host.ts.
  const server = createServer({ ...timeouts, requireHostHeader: false });
  listenTo(server, cutSlowReaders(withPath(listener), exchangeTimeout));
  return server;
}
