import { mkdtemp, rm } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Koa from "koa";
import helmet from "koa-helmet";
import { developmentAudience } from "../../src/development/access-token.ts";
import { createIdentityProvider } from "../../src/development/identity-provider.ts";
import { type Person, people } from "../../src/development/people.ts";
import { startServer } from "./key-server.ts";

export interface IdentityService {
  readonly origin: string;
  readonly issuer: string;
  readonly dataDir: string;
  stop(): Promise<void>;
}

export interface IdentityServiceOptions {
  /** That of another service, which keeps it; a folder of its own goes when the service stops. */
  readonly dataDir?: string;
  readonly residents?: readonly Person[];
}

/** A service with nothing in it but the identity provider, behind helmet as in the real one. */
export async function startIdentityService(
  options: IdentityServiceOptions = {},
): Promise<IdentityService> {
  const { dataDir = await makeDataDir(), residents = Object.values(people) } = options;
  let answer: RequestListener = (_request, response) => response.end();
  const { origin, close } = await startServer((request, response) => answer(request, response));
  const { issuer, middleware } = await createIdentityProvider({
    origin,
    audience: developmentAudience,
    dataDir,
    people: residents,
  });
  const app = new Koa().use(helmet()).use(middleware);
  app.use((ctx) => {
    ctx.body = `elsewhere: ${ctx.url}`;
  });
  answer = app.callback();
  return {
    origin,
    issuer,
    dataDir,
    async stop() {
      await close();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true });
    },
  };
}

export const makeDataDir = (): Promise<string> => mkdtemp(join(tmpdir(), "identity-"));
