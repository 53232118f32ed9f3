import { mkdtemp, rm } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Koa from "koa";
import { issuerAt } from "../../src/config/own-issuer.ts";
import { createIdentityProvider } from "../../src/development/identity-provider.ts";
import type { Person } from "../../src/development/people.ts";
import { refuseMalformed } from "../../src/http/request.ts";
import { secure } from "../../src/http/server.ts";
import { startServer } from "./key-server.ts";

export interface IdentityService {
  readonly origin: string;
  readonly issuer: string;
  /** Where it listens, which is its origin too unless another host is set. */
  readonly address: string;
  readonly dataDir: string;
  /** The paths of the requests, as the service sees them when it answers. */
  readonly answeredPaths: readonly string[];
  stop(): Promise<void>;
}

export interface IdentityServiceOptions {
  /** The folder of another service. Without it, the service makes one and removes it in the end. */
  readonly dataDir?: string;
  readonly residents?: readonly Person[];
  /** The host under which clients reach the service, although it listens on loopback. */
  readonly host?: string;
}

/** A service with only the identity provider, and before it what stands before it in the real one. */
export async function startIdentityService(
  options: IdentityServiceOptions = {},
): Promise<IdentityService> {
  const { dataDir = await makeDataDir(), residents, host } = options;
  let answer: RequestListener = (_request, response) => response.end();
  const server = await startServer((request, response) => answer(request, response));
  const origin = host === undefined ? server.origin : `http://${host}`;
  const middleware = await createIdentityProvider({
    origin,
    dataDir,
    ...(residents && { residents }),
  });
  const answeredPaths: string[] = [];
  const app = new Koa();
  app.silent = true; // a test sees the status
  app.use((ctx, next) => {
    secure(ctx.req, ctx.res, () => {});
    return next();
  });
  app.use(async (ctx, next) => {
    await next();
    answeredPaths.push(ctx.path);
  });
  app
    .use(refuseMalformed)
    .use(middleware)
    .use((ctx) => {
      ctx.body = `elsewhere: ${ctx.url}`;
    });
  answer = app.callback();
  return {
    origin,
    issuer: issuerAt(origin),
    address: server.origin,
    dataDir,
    answeredPaths,
    async stop() {
      await server.close();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true });
    },
  };
}

export const makeDataDir = (): Promise<string> => mkdtemp(join(tmpdir(), "identity-"));
