import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AdminConfig } from "../config/config.ts";
import { isLoopbackHost } from "../config/formats.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { originAt } from "../http/origin.ts";
import type { Logger } from "../log/logger.ts";

export interface MetricsListener {
  /** Such as http://127.0.0.1:9100/metrics */
  readonly address: string;
  close(): Promise<void>;
}

interface Page {
  readonly contentType: string;
  text(): Promise<string>;
}

/**
 * Serves the metrics on their own port, for the operator. The port for people never serves them.
 */
export async function listenForScrapes(
  { host, port }: AdminConfig,
  page: Page,
  logger: Logger,
): Promise<MetricsListener> {
  const isLocal = isLoopbackHost(host);
  const server = createServer(async ({ method, url, headers }, response) => {
    const isMisdirected = isLocal && !namesLoopback(headers.host);
    const isScrape = url === "/metrics" && (method === "GET" || method === "HEAD");
    if (isMisdirected || !isScrape) {
      response.writeHead(isMisdirected ? 421 : 404).end();
      return;
    }
    try {
      const text = await page.text();
      response.writeHead(200, { "Content-Type": page.contentType }).end(text);
    } catch (error) {
      logger.error({ err: error }, "the metrics cannot be read");
      response.writeHead(500).end();
    }
  });
  server.listen(port, host);
  await once(server, "listening").catch((cause: Error) => {
    throw new OperatorError(`ADMIN_HOST, ADMIN_PORT: ${cause.message}`, { cause });
  });
  const address = server.address() as AddressInfo;
  return {
    address: `${originAt(address.address, address.port)}/metrics`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * A web page in a browser on this machine can send requests to a name of its own that leads here,
 * and read the answers (DNS rebinding). Its requests have that name as Host.
 */
function namesLoopback(host: string | undefined): boolean {
  const url = URL.parse(`http://${host ?? ""}`);
  return url !== null && isLoopbackHost(url.hostname);
}
