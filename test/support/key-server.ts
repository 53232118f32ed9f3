import type { JsonWebKey } from "node:crypto";
import { createServer, type RequestListener } from "node:http";

/** A loopback web server that records the requests. */
export interface LoopbackServer {
  readonly origin: string;
  /** The paths asked for so far. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export async function startServer(answer: RequestListener): Promise<LoopbackServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** An identity provider's two documents, whose answers can be changed. */
export interface KeyServer extends LoopbackServer {
  /** Replaces the keys of the set. */
  publish(...keys: readonly JsonWebKey[]): void;
  /** Answers every request in this way from now on; without an argument, in the usual way again. */
  answerWith(answer?: RequestListener): void;
}

export async function startKeyServer(...keys: readonly JsonWebKey[]): Promise<KeyServer> {
  let published = keys;
  const answerAsUsual: RequestListener = (request, response) => {
    const issuer = `http://${request.headers.host}`;
    const metadata = { issuer, jwks_uri: `${issuer}/jwks` };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(request.url === "/jwks" ? { keys: published } : metadata));
  };
  let answer = answerAsUsual;
  const server = await startServer((request, response) => answer(request, response));
  return {
    ...server,
    publish(...next) {
      published = next;
    },
    answerWith(next = answerAsUsual) {
      answer = next;
    },
  };
}
