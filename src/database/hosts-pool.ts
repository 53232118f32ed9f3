import {
  Client,
  type ClientBase,
  type ClientConfig,
  Pool,
  type PoolClient,
  type PoolConfig,
} from "pg";
import { isOutage, NoHostError } from "../errors/outage.ts";
import { reasonOf } from "../errors/reason.ts";
import type { Logger } from "../log/logger.ts";
import {
  type Hosts,
  hostsOf,
  isAnyOfOne,
  type Standing,
  suits,
  type Target,
  targetOf,
} from "./hosts.ts";

/** Where connections lead. */
interface Host {
  readonly url: string;
  readonly host: string;
  readonly port: number;
}

/** Which of several hosts is used; undefined where it has to be searched for. */
interface HostChoice {
  host?: Host | undefined;
  searching?: Promise<Host> | undefined;
}

/** The same choice for all pools with one URL: what one connection learns of a host, all know. */
const choices = new Map<string, HostChoice>();

type Callback = Parameters<Pool["connect"]>[0];

/** A pool whose connections lead to the one of several hosts that is wanted. */
export class HostsPool extends Pool {
  readonly #hosts: Hosts;
  readonly #choice: HostChoice;
  readonly #logger: Logger;
  #host: Host | undefined;

  constructor(url: string, logger: Logger, options: PoolConfig) {
    const hosts = hostsOf(url);
    super({ ...options, onConnect: (client) => expectToBe(targetOf(hosts), client) });
    this.#hosts = hosts;
    this.#choice = choices.get(url) ?? {};
    choices.set(url, this.#choice);
    this.#logger = logger;
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<PoolClient> | undefined {
    const connected = this.#connect();
    if (!callback) return connected;
    connected.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }

  /** A host that fails is left at once for another, before anything is sent. */
  async #connect(): Promise<PoolClient> {
    if (this.#choice.host) this.#leadTo(this.#choice.host);
    const needsNew = this.idleCount === 0 && this.totalCount < this.options.max;
    if (!needsNew) return super.connect();

    const host = await this.#leadToChosen();
    try {
      return await super.connect();
    } catch (error) {
      if (!isOutage(error) || isOfFullPool(error)) throw error;
      if (this.#choice.host === host) this.#choice.host = undefined;
      await this.#leadToChosen();
      return super.connect();
    }
  }

  /** Searches for the host where it is not known, once for all who ask meanwhile. */
  async #leadToChosen(): Promise<Host> {
    const choice = this.#choice;
    if (!choice.host) {
      choice.searching ??= findHost(this.#hosts, this.options).finally(() => {
        choice.searching = undefined;
      });
      choice.host = await choice.searching;
    }
    this.#leadTo(choice.host);
    return choice.host;
  }

  #leadTo(host: Host): void {
    if (this.#host === host) return;
    this.#host = host;
    this.options.connectionString = host.url;
    this.#logger.info({ host: host.host, port: host.port }, "the host of the database is found");
    discardIdle(this);
  }
}

/** It waited in vain for a connection that others use, which says nothing of the host. */
const isOfFullPool = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith("timeout exceeded");

/** New connections may lead to another server. One that is in use is left by its user. */
export function discardIdle(pool: Pool): void {
  for (let { idleCount } = pool; idleCount > 0; idleCount--) {
    pool.connect().then(
      (client) => client.release(true),
      () => {}, // the pool is about to end
    );
  }
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
    visit(url, target, config).catch((error: unknown) => ({ error })),
  );
  const errors: unknown[] = [];
  for (const visited of visits) {
    const result = await visited;
    if ("url" in result) return result;
    errors.push(result.error);
  }
  if (!errors.some(isOutage)) throw errors[0];
  const reasons = hosts.urls.map((url, i) => `${new URL(url).host}: ${reasonOf(errors[i])}`);
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
    query_timeout: patience,
  });
  client.on("error", () => {}); // connect() or the query throws it
  const { host, port } = client;
  try {
    await client.connect();
    await expectToBe(target, client);
    return { url, host, port };
  } finally {
    void client.end();
  }
}

/** @throws NoHostError where the server is something else */
async function expectToBe(target: Target, client: ClientBase): Promise<void> {
  const { rows } = await client.query<Standing>(
    `select pg_catalog.pg_is_in_recovery() as "isStandby",
            pg_catalog.current_setting('transaction_read_only')::boolean as "isReadOnly"`,
  );
  if (!rows.every(suits[target])) throw new NoHostError(`is not ${target}`);
}
