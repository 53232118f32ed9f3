import { Client, type ClientBase, type ClientConfig } from "pg";
import { isOutage } from "../errors/explain.ts";
import { reasonOf } from "../errors/reason.ts";
import {
  type Hosts,
  hostsOf,
  isAnyOfOne,
  NoHostError,
  type Standing,
  suits,
  type Target,
  targetOf,
} from "./hosts.ts";

/** Where connections lead. */
export interface Host {
  readonly url: string;
  readonly host: string;
  readonly port: number;
}

/** Which of several hosts is used. */
export interface HostChoice {
  /** Undefined where it has to be searched for. */
  known(): Host | undefined;
  /** Searches for it, once for all who ask meanwhile. */
  find(config: ClientConfig): Promise<Host>;
  /** It failed, or is no longer what is wanted. */
  leave(host: Host): void;
}

const choices = new Map<string, HostChoice>();

/** The same choice for everybody with this URL: what one connection learns of a host, all know. */
export function choiceOf(url: string): HostChoice {
  const choice = choices.get(url) ?? choose(hostsOf(url));
  choices.set(url, choice);
  return choice;
}

function choose(hosts: Hosts): HostChoice {
  let known: Host | undefined;
  let searching: Promise<Host> | undefined;
  const search = async (config: ClientConfig): Promise<Host> => {
    try {
      known = await findHost(hosts, config);
      return known;
    } finally {
      searching = undefined;
    }
  };
  return {
    known: () => known,
    find: async (config) => {
      if (known) return known;
      searching ??= search(config);
      return searching;
    },
    leave: (host) => {
      if (known === host) known = undefined;
    },
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
export async function expectToBe(target: Target, client: ClientBase): Promise<void> {
  const { rows } = await client.query<Standing>(
    `select pg_catalog.pg_is_in_recovery() as "isStandby",
            pg_catalog.current_setting('transaction_read_only')::boolean as "isReadOnly"`,
  );
  if (!rows.every(suits[target])) throw new NoHostError(`is not ${target}`);
}
