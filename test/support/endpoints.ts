import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder } from "../../src/project-folder.ts";
import { freePort } from "./free-port.ts";
import { pathTo } from "./installed.ts";
import { findPgBouncer, startPgBouncer } from "./pgbouncer.ts";
import { startRelay } from "./relay.ts";

/** Stands before two servers, and leads to the one that is the primary: first to the first. */
export interface Endpoint extends AsyncDisposable {
  readonly port: number;
  /** What decides says that the other one is the primary now. */
  leadToTheOther(): Promise<void>;
}

/** @param urls of the service, to each server */
type Start = (urls: readonly [URL, URL]) => Promise<Endpoint>;

/** Those that this machine has. */
export function endpoints(): readonly (readonly [name: string, start: Start])[] {
  const pgBouncer = findPgBouncer();
  const haproxy = pathTo("haproxy");
  return [
    ["an address that moves", startMoving],
    ...(pgBouncer ? [["PgBouncer", before(pgBouncer)] as const] : []),
    ...(haproxy ? [["HAProxy", asDocumented(haproxy)] as const] : []),
  ];
}

const startMoving: Start = async ([one, other]) => {
  const relay = await startRelay(Number(one.port));
  return {
    port: Number(new URL(relay.url(one.href)).port),
    leadToTheOther: async () => relay.leadTo(Number(other.port)),
    [Symbol.asyncDispose]: relay.close,
  };
};

const before =
  (program: string): Start =>
  async ([one, other]) => {
    const passwords = { [one.username]: one.password };
    const bouncer = await startPgBouncer({
      program,
      serverPort: Number(one.port),
      passwords,
      connections: 10,
    });
    return { ...bouncer, leadToTheOther: () => bouncer.leadTo(Number(other.port)) };
  };

/** The file of docs/deploy; the test says in the place of Patroni which one is the primary. */
const asDocumented =
  (program: string): Start =>
  async (urls) => {
    let primary = 0;
    const servers = await Promise.all(
      urls.map(async ({ host }, i) => {
        const agent = createServer((_, response) => {
          response.writeHead(i === primary ? 200 : 503).end();
        }).listen(0, "127.0.0.1");
        await once(agent, "listening");
        return { host, agent, agentPort: (agent.address() as AddressInfo).port };
      }),
    );
    const port = await freePort();
    const text = await readFile(join(projectFolder, "docs/deploy/haproxy.cfg"), "utf8");
    let config = text.replace("127.0.0.1:5433", `127.0.0.1:${port}`);
    for (const [i, { host, agentPort }] of servers.entries())
      config = config.replace(`10.0.0.1${i + 1}:5432`, `${host} port ${agentPort}`);
    const folder = await mkdtemp(join(tmpdir(), "haproxy-"));
    await writeFile(join(folder, "haproxy.cfg"), config);
    const child = spawn(program, ["-db", "-f", join(folder, "haproxy.cfg")], { stdio: "ignore" });
    const kill = () => child.kill("SIGKILL");
    process.once("exit", kill);
    return {
      port,
      leadToTheOther: async () => {
        primary = 1;
      },
      [Symbol.asyncDispose]: async () => {
        kill();
        process.off("exit", kill);
        for (const { agent } of servers) agent.close().closeAllConnections();
        await rm(folder, { recursive: true });
      },
    };
  };
