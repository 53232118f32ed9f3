import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import { withClient } from "../../../src/database/client.ts";
import { hostsOf, isAnyOfOne, targetOf } from "../../../src/database/hosts.ts";
import { urlOfHost } from "../../../src/database/hosts-pool.ts";
import { createPool } from "../../../src/database/pool.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../src/embedded/cluster.ts";
import { createLogger } from "../../../src/log/logger.ts";
import { type Relay, startRelay } from "../../support/relay.ts";
import { until } from "../../support/waiting.ts";

describe("a URL", () => {
  it.each([
    [
      "postgres://ann:pw@a:5432,b:5433/db?sslmode=disable",
      [
        "postgres://ann:pw@a:5432/db?sslmode=disable",
        "postgres://ann:pw@b:5433/db?sslmode=disable",
      ],
    ],
    ["postgresql://a,b", ["postgresql://a", "postgresql://b"]],
    ["postgres://[::1]:1,[::2]/db", ["postgres://[::1]:1/db", "postgres://[::2]/db"]],
    ["postgres://ann:p,w@a/db?options=a,b", ["postgres://ann:p,w@a/db?options=a,b"]],
  ])("%s names these hosts", (url, urls) => {
    expect(hostsOf(url).urls).toEqual(urls);
  });

  it("of several hosts leads to one that writes, and of one host to any", () => {
    expect(targetOf(hostsOf("postgres://a,b/db"))).toBe("read-write");
    expect(isAnyOfOne(hostsOf("postgres://a/db"))).toBe(true);
    expect(targetOf(hostsOf("postgres://a/db?target_session_attrs=primary"))).toBe("primary");
    expect(targetOf(hostsOf("postgres://a,b/db?target_session_attrs=any"))).toBe("any");
  });
});

let folder: string;
let primary: EmbeddedPostgres;
let standby: EmbeddedPostgres;
/** A primary, and a copy of it that waits for changes and takes none but those of recovery. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hosts-test-"));
  const [first, second] = [join(folder, "primary"), join(folder, "standby")];
  await (await startEmbeddedPostgres({ dataDir: first })).stop();
  await cp(join(first, "cluster"), join(second, "cluster"), { recursive: true });
  await writeFile(join(second, "cluster/data/standby.signal"), "");
  const settings = { fsync: "off" };
  primary = await startEmbeddedPostgres({ dataDir: first, settings });
  standby = await startEmbeddedPostgres({ dataDir: second, settings });
});
afterAll(async () => {
  await Promise.all([primary.stop(), standby.stop()]);
  await rm(folder, { recursive: true });
});

const portOf = async (pool: Pool): Promise<number> =>
  Number((await pool.query("select current_setting('port') as port")).rows[0].port);

describe("several hosts", () => {
  let pool: Pool;
  afterEach(async () => pool?.end());
  /** A port on which nobody listens. */
  const NOBODY = 1;
  const urlOf = (ports: readonly number[], target?: string): string => {
    const url = primary.url("postgres", "postgres");
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join(",");
    const several = url.replace(`127.0.0.1:${primary.port}`, hosts);
    return target ? `${several}&target_session_attrs=${target}` : several;
  };
  const open = (url: string): Pool => {
    pool = createPool(url, createLogger("silent"), { connectionTimeoutMillis: 10_000 });
    return pool;
  };

  it("are tried in turn until one takes writes", async () => {
    const ports = [NOBODY, standby.port, primary.port];
    expect(await portOf(open(urlOf(ports)))).toBe(primary.port);
    expect(new URL(await urlOfHost(urlOf(ports))).port).toBe(String(primary.port));
  });

  it.each([
    ["any", () => standby.port],
    ["standby", () => standby.port],
    ["read-only", () => standby.port],
    ["primary", () => primary.port],
    ["read-write", () => primary.port],
  ])("lead to the first that is %s", async (target, port) => {
    expect(await portOf(open(urlOf([standby.port, primary.port], target)))).toBe(port());
  });

  it("are each named with the reason where none is wanted", async () => {
    await expect(open(urlOf([NOBODY, standby.port])).query("select")).rejects.toThrow(
      `127.0.0.1:${NOBODY}: connect ECONNREFUSED 127.0.0.1:${NOBODY}; 127.0.0.1:${standby.port}: is not read-write`,
    );
  });

  it("that all refuse the service say why", async () => {
    const url = urlOf([standby.port, primary.port]).replace(/:[^:@]+@/, ":wrong@");
    await expect(open(url).query("select")).rejects.toMatchObject({ code: "28P01" });
  });

  it("are searched again when the connection breaks, and when the server no longer writes", async () => {
    open(urlOf([primary.port, standby.port]));
    const alter = (url: string, sql: string) =>
      withClient(url, async (client) => {
        await client.query(sql);
        await client.query("select pg_reload_conf()");
      });
    const untilItLeadsTo = ({ port }: EmbeddedPostgres) =>
      until(`port ${port}`, async () => (await portOf(pool).catch(() => 0)) === port);
    const onPrimary = primary.url("postgres", "postgres");
    const onStandby = standby.url("postgres", "postgres");
    expect(await portOf(pool)).toBe(primary.port);

    // Three idle connections: one write that is refused is the end of all.
    const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
    await alter(onPrimary, "alter system set default_transaction_read_only = on");
    await withClient(onStandby, (client) => client.query("select pg_promote()"));
    for (const client of clients) client.release();
    expect(pool.idleCount).toBe(3);
    await expect(pool.query("create table refused ()")).rejects.toMatchObject({ code: "25006" });
    await until("no idle connection", () => pool.totalCount <= 1);
    await untilItLeadsTo(standby);
    await pool.query("create table kept ()");

    await alter(onPrimary, "alter system reset default_transaction_read_only");
    await standby.stop();
    await untilItLeadsTo(primary);
  });
});

describe("a host that fails", () => {
  let relays: readonly [Relay, Relay];
  let pools: readonly [Pool, Pool];
  /** Two hosts, both of which lead to the same server, and two pools that have found the first. */
  beforeEach(async () => {
    relays = [await startRelay(primary.port), await startRelay(primary.port)];
    const url = primary.url("postgres", "postgres");
    const hosts = relays.map((relay) => new URL(relay.url(url)).host).join(",");
    const several = url.replace(new URL(url).host, hosts);
    const patience = { connectionTimeoutMillis: 3_000, query_timeout: 1_000 };
    const open = () => createPool(several, createLogger("silent"), patience);
    pools = [open(), open()];
    await Promise.all(pools.map((it) => it.query("select")));
  });
  afterEach(async () => {
    await Promise.all(pools.map((it) => it.end()));
    await Promise.all(relays.map((it) => it.close()));
  });

  it("costs no query where it refuses connections", async () => {
    await relays[0].refuse();
    await until("no connection", () => pools.every((it) => it.totalCount === 0));
    for (const it of pools) expect((await it.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  });

  it("costs one pool its time, and the others nothing, where it is silent", async () => {
    relays[0].hang();
    await until("another host", () =>
      pools[0].query("select").then(
        () => true,
        () => false,
      ),
    );
    expect((await pools[1].query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  });

  it("does not end the process where it stops as it becomes ready", async () => {
    const held = await Promise.all(pools.map((it) => it.connect()));
    for (const relay of relays) relay.stopWhenReady();
    for (const it of pools) await expect(it.query("select")).rejects.toThrow();
    for (const relay of relays) await relay.mend();
    for (const it of pools) await it.query("select");
    for (const client of held) client.release();
  });
});
