import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Pool } from "pg";
import { createApp } from "../../src/app.ts";
import { createPool } from "../../src/database.ts";
import { createLogger } from "../../src/log.ts";
import { readRuleCatalogue } from "../../src/rules.ts";
import { createTokenVerifier } from "../../src/tokens/verifier.ts";
import { startTestIssuer, type TestIssuer } from "./tokens.ts";

export interface Service {
  /** Such as http://127.0.0.1:40123 */
  readonly origin: string;
  readonly pool: Pool;
  readonly issuer: TestIssuer;
  close(): Promise<void>;
}

/** The service as it runs, on a free port, with an identity provider of the test's own. */
export async function startService(
  databaseUrl: string,
  options: { readonly connections?: number } = {},
): Promise<Service> {
  const issuer = await startTestIssuer();
  const logger = createLogger("silent");
  const pool = createPool(databaseUrl, logger, options.connections);
  const app = createApp({
    basePath: "/api",
    pool,
    rules: await readRuleCatalogue(pool),
    tokens: createTokenVerifier({ issuer: issuer.issuer, audience: issuer.audience }),
    logger,
    isStopping: () => false,
  });
  const server = createServer(app.callback()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    pool,
    issuer,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all([pool.end(), issuer.close()]);
    },
  };
}
