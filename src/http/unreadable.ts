import { IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Context } from "koa";
import type { FailureCode } from "../errors/failures.ts";
import { Problem } from "../errors/problem.ts";
import { Answer } from "./answer.ts";

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
    Object.assign(request, { method: "", url: "*" }); // unknown, for the log and the metrics
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
