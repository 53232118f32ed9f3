import { Pool, type PoolClient, type PoolConfig } from "pg";
import { isOutage } from "../errors/outage.ts";
import type { Logger } from "../log/logger.ts";
import { choiceOf, chooseHost, expectToBe, type Host, type HostChoice } from "./host-choice.ts";
import { type Hosts, hostsOf, targetOf } from "./hosts.ts";

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
    this.#choice = choiceOf(url);
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

  async #leadToChosen(): Promise<Host> {
    const host = await chooseHost(this.#choice, this.#hosts, this.options);
    this.#leadTo(host);
    return host;
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
