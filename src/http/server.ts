import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import helmet from "helmet";
import type { Context } from "koa";
import type { FailureCode } from "../errors/problem.ts";
import { Problem } from "../errors/problem.ts";

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
  // A request without Host gets the answer of ./request.ts.
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

/** A path and a query as RFC 9112, 3.2.1 has them, or nearly: visible ASCII without a fragment. */
const ORIGIN_FORM = /^\/[!"$-~]*$/;

/** The form that clients send to proxies, and may send to any server (RFC 9112, 3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\//i;

/** The path of a request that names none. No route has it. */
export const NO_PATH = "*";

/**
 * The path and query of a request's target, before anybody reads it: Koa's parser throws for some of
 * the others, in every middleware and listener that asks for the path.
 */
function pathOf(target: string): string {
  if (ORIGIN_FORM.test(target)) return target;
  const url = ABSOLUTE_FORM.test(target) ? URL.parse(target) : null;
  return url ? url.pathname + url.search : NO_PATH;
}

/**
 * helmet's defaults without `upgrade-insecure-requests`: with it, a browser that opens /docs over
 * plain http on another host than loopback asks for its scripts over https, and gets no answer.
 * Tried in Chromium. And a building's name says nothing about names below it.
 */
export const secure = helmet({
  contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
  strictTransportSecurity: { includeSubDomains: false },
});

/** Every answer has these headers from the start. It is private to its caller, and no cache stores it. */
export class Answer<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  constructor(...args: ConstructorParameters<typeof ServerResponse<Request>>) {
    super(...args);
    secure(this.req, this, () => {});
    this.setHeader("Cache-Control", "private, no-store");
  }
}

/** What is wrong with a request, found by Node while it reads it. */
const faults = new WeakMap<IncomingMessage, Problem>();

/**
 * Gives the listener all that a server receives. What Node cannot read, and would answer itself with
 * a status only, becomes a request that is refused as every other.
 */
export function listenTo(server: Server, listener: RequestListener): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const failed = new WeakSet<Duplex>();

  const serve: RequestListener = (request, response) => {
    latest.set(request.socket, response);
    listener(request, response);
  };
  server.on("request", serve).on("checkContinue", serve).on("checkExpectation", serve);
  server.on("connect", (request, socket) => {
    socket.on("error", () => {}); // Node has left the socket to us; its end closes the response
    if (!(socket instanceof Socket)) return;
    whenAnswered(socket, () => listener(request, lastResponse(request, socket)));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (failed.has(socket)) return; // each piece that follows is an error again
    failed.add(socket);
    const isAsking = socket instanceof Socket && socket.writable && socket.bytesRead > 0;
    if (!isAsking) {
      socket.destroy();
      return;
    }
    const response = latest.get(socket);
    const isBody = response?.req.complete === false;
    if (isBody) spoil(response, problemOf(error, "incomplete_body"));
    whenAnswered(socket, isBody ? () => socket.destroySoon() : () => refuse(socket, error));
  });

  /** Once all is answered that was read before on this connection, if that is still there. */
  function whenAnswered(socket: Socket, conclude: () => void): void {
    const response = latest.get(socket);
    if (response === undefined || response.closed) conclude();
    else response.once("close", () => !socket.destroyed && conclude());
  }

  function refuse(socket: Socket, error: NodeJS.ErrnoException): void {
    const request = new IncomingMessage(socket);
    Object.assign(request, { method: "", url: NO_PATH }); // unknown, for the log and the metrics
    faults.set(request, problemOf(error, "malformed_request"));
    listener(request, lastResponse(request, socket));
  }
}

/** A response after which there is no other on the connection. */
function lastResponse(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new Answer(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  return response.once("finish", () => socket.destroySoon());
}

/** The body of this request is at fault. It matters to those only who want to read it. */
function spoil(response: ServerResponse, problem: Problem): void {
  faults.set(response.req, problem);
  response.shouldKeepAlive = false;
  response.req.on("error", () => {}).emit("error", problem);
}

const codes: Readonly<Record<string, FailureCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
  HPE_HEADER_OVERFLOW: "headers_too_large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "body_too_large",
};

/** @param early what it is that the client ended the connection */
function problemOf({ code = "", message }: NodeJS.ErrnoException, early: FailureCode): Problem {
  const usual = code === "HPE_INVALID_EOF_STATE" ? early : "malformed_request";
  return new Problem(codes[code] ?? usual, { cause: message });
}

/** @throws Problem where a request, or what was read of its body, is at fault */
export function refuseFault({ req }: Pick<Context, "req">): void {
  const problem = faults.get(req);
  if (problem) throw problem;
}
