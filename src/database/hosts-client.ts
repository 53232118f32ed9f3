import { Client, type ClientConfig } from "pg";
import { isOutage } from "../errors/explain.ts";
import {
  type Hosts,
  hostsOf,
  isAnyOfOne,
  NoHostError,
  suits,
  type Target,
  targetOf,
} from "./hosts.ts";
import { reasonOf } from "./reach.ts";

/** Where a connection led. */
interface Host {
  readonly url: string;
  readonly host: string;
  readonly port: number;
}

type Callback = (...result: [error: Error] | [error: null, client: Client]) => void;

/**
 * The class of the connections of a pool. They go to the first host that is wanted. It is searched for
 * once and then kept, until a connection to it fails or shows that it is no longer what is wanted.
 */
export function clientOf(hosts: Hosts, onFound: (host: Host) => void): typeof Client {
  const target = targetOf(hosts);
  let found: Promise<Host> | undefined;

  return class extends Client {
    readonly #config: ClientConfig;
    readonly #suits: () => boolean;

    constructor(config: ClientConfig) {
      super({ ...config, connectionString: hosts.urls[0] });
      this.#config = config;
      this.#suits = whatIsReported(this, target);
    }

    override connect(): Promise<Client>;
    override connect(callback: Callback): void;
    override connect(callback?: Callback) {
      const connected = this.#connect();
      if (!callback) return connected;
      connected.then((client) => callback(null, client), callback);
    }

    async #connect(): Promise<Client> {
      found ??= findHost(hosts, this.#config).then((host) => {
        onFound(host);
        return host;
      });
      try {
        const { host, port } = await found;
        Object.assign(this, { host, port });
        await super.connect();
        if (this.#suits()) return this;
        void this.end();
        throw new NoHostError(`${host}:${port} is not ${target}`);
      } catch (error) {
        found = undefined;
        throw error;
      }
    }
  };
}

/** The URL of the first host that is wanted, for what takes only one. */
export async function urlOfHost(url: string): Promise<string> {
  const hosts = hostsOf(url);
  return isAnyOfOne(hosts) ? url : (await findHost(hosts, { connectionTimeoutMillis: 10_000 })).url;
}

/**
 * Asks all hosts at once, and takes the first of the list that is wanted.
 * @throws NoHostError with what is wrong with each; the error of the first, where all refuse us
 */
async function findHost(hosts: Hosts, config: ClientConfig): Promise<Host> {
  const target = targetOf(hosts);
  const visits = hosts.urls.map((url) =>
    visit(url, target, config).then(
      (host) => ({ host }),
      (error: unknown) => ({ error }),
    ),
  );
  const errors: unknown[] = [];
  const reasons: string[] = [];
  for (const [i, result] of visits.entries()) {
    const visited = await result;
    if ("host" in visited) return visited.host;
    errors.push(visited.error);
    reasons.push(`${new URL(hosts.urls[i] ?? "").host}: ${reasonOf(visited.error)}`);
  }
  if (!errors.some(isOutage)) throw errors[0];
  throw new NoHostError(reasons.join("; "));
}

/** Connects and leaves again: a connection that pg has begun cannot go elsewhere. */
async function visit(url: string, target: Target, config: ClientConfig): Promise<Host> {
  // The other half of the time is for the connection that is made next.
  const patience = (config.connectionTimeoutMillis ?? 0) / 2;
  const client = new Client({
    ...config,
    connectionString: url,
    connectionTimeoutMillis: patience,
  });
  client.on("error", () => {}); // connect() throws it
  const suitable = whatIsReported(client, target);
  const { host, port } = client;
  try {
    await client.connect();
    if (!suitable()) throw new NoHostError(`is not ${target}`);
    return { url, host, port };
  } finally {
    void client.end();
  }
}

/** Listens to what the server says of itself while the connection is made. */
function whatIsReported(client: Client, target: Target): () => boolean {
  const reported = new Map<string, string>();
  client.connection.on("parameterStatus", ({ parameterName, parameterValue }) =>
    reported.set(parameterName, parameterValue),
  );
  return () => suits[target](reported);
}
