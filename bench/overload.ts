/**
 * What overload does: the service alone at its capacity, then five times as many requests a second
 * as that, sent whether or not the earlier ones were answered, by clients that give up after 3 s.
 * Client, service and database share the processors; so that the database is the first to have no
 * more to give, GET /dashboard takes it 20 ms more.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { projectFolder } from "../src/project-folder.ts";
import type { Building } from "../test/support/building.ts";
import setUp from "../test/support/global-setup.ts";
import tearDown from "../test/support/global-teardown.ts";

const CLIENTS = 20;
const CAPACITY_SECONDS = 5;
const OVERLOAD = 5;
const OVERLOAD_SECONDS = 15;
const PATIENCE_MS = 3_000;
const PATH = "/api/dashboard";

type Outcome = { readonly status: number; readonly milliseconds: number };

/** Connections without a request. Plain sockets: Node's own client costs more than the service. */
const idle: Socket[] = [];

async function connection(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).on("error", () => {});
  socket.once("close", () => {
    if (idle.includes(socket)) idle.splice(idle.indexOf(socket), 1);
  });
  return socket;
}

/** One request; status 0 where the client gave up or was cut off. */
async function ask(origin: string, token: string): Promise<Outcome> {
  const start = performance.now();
  const socket = idle.pop() ?? (await connection(origin));
  const { promise, resolve } = Promise.withResolvers<number>();
  let answer = "";
  const read = (chunk: Buffer) => {
    answer += chunk.toString("latin1");
    const head = answer.indexOf("\r\n\r\n");
    const length = Number(/^content-length: (\d+)/im.exec(answer.slice(0, head))?.[1]);
    if (head < 0 || answer.length < head + 4 + length) return;
    const isLast = /^connection: close/im.test(answer.slice(0, head));
    if (!isLast) idle.push(socket);
    resolve(Number(answer.slice(9, 12)));
  };
  const cut = () => resolve(0);
  const patience = setTimeout(() => socket.destroy(), PATIENCE_MS);
  socket.on("data", read).once("close", cut);
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  const status = await promise;
  clearTimeout(patience);
  socket.off("data", read).off("close", cut);
  return { status, milliseconds: performance.now() - start };
}

/** Requests per second when each client waits for its answer. */
async function capacityOf(origin: string, tokens: readonly string[]): Promise<number> {
  const until = performance.now() + CAPACITY_SECONDS * 1000;
  let count = 0;
  await Promise.all(
    tokens.map(async (token) => {
      for (; performance.now() < until; count++) await ask(origin, token);
    }),
  );
  return count / CAPACITY_SECONDS;
}

/** Sends at a rate, whatever comes back. */
async function flood(origin: string, tokens: readonly string[], rate: number): Promise<Outcome[]> {
  const sent: Promise<Outcome>[] = [];
  const start = performance.now();
  for (let elapsed = 0; elapsed < OVERLOAD_SECONDS; elapsed = (performance.now() - start) / 1000) {
    while (sent.length < elapsed * rate) {
      sent.push(ask(origin, tokens[sent.length % tokens.length] ?? ""));
    }
    await sleep(2);
  }
  return Promise.all(sent);
}

const quantile = (values: readonly number[], share: number): string =>
  (values[Math.floor(values.length * share)] ?? Number.NaN).toFixed(0);

function report(outcomes: readonly Outcome[]): void {
  for (const status of new Set(outcomes.map((outcome) => outcome.status))) {
    const times = outcomes
      .filter((outcome) => outcome.status === status)
      .map(({ milliseconds }) => milliseconds)
      .toSorted((a, b) => a - b);
    const share = ((100 * times.length) / outcomes.length).toFixed(1);
    const latencies = [0.5, 0.99, 1].map((it) => quantile(times, Math.min(it, 0.99999)));
    console.log(
      `${status || "gave up"}: ${(times.length / OVERLOAD_SECONDS).toFixed(0)}/s, ${share} %, ` +
        `median ${latencies[0]} ms, 99 % ${latencies[1]} ms, most ${latencies[2]} ms`,
    );
  }
}

const memoryOf = (pid: number, what: "VmRSS" | "VmHWM"): string => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kilobytes = Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]);
  return `${(kilobytes / 1024).toFixed(0)} MB`;
};

async function measure(building: Building): Promise<void> {
  const residents = await Promise.all(Array.from({ length: CLIENTS }, building.resident));
  await building.rows("alter function api.get_dashboard() rename to get_dashboard_at_once");
  await building.rows(`
    create function api.get_dashboard(
      out total_spots bigint, out active_spots bigint, out total_claims bigint, out active_claims bigint
    ) returns setof record language plpgsql as $$
    begin
      perform pg_sleep(0.02);
      return query select * from api.get_dashboard_at_once();
    end $$`);
  await building.rows("grant execute on function api.get_dashboard() to parking_api");
  const { issuer, audience } = building.service.issuer;
  const logFile = join(tmpdir(), `overload-${process.pid}.log`);
  await using log = await open(logFile, "w");
  const service = spawn(process.execPath, ["src/main.ts"], {
    cwd: projectFolder,
    env: {
      DATABASE_URL: building.database.url("parking_api"),
      AUTH_ISSUER: issuer,
      AUTH_AUDIENCE: audience,
      PORT: "0",
      RATE_LIMIT_PER_MINUTE: "0",
      RATE_LIMIT_PER_HOUR: "0",
    },
    stdio: ["ignore", log.fd, "pipe"],
  });
  let printed = "";
  service.stderr?.on("data", (text) => {
    printed += String(text);
  });
  while (!/http:\S+\n/.test(printed)) await sleep(20);
  const { origin } = new URL(/http:\S+/.exec(printed)?.[0] ?? "");
  const pid = service.pid ?? 0;
  const tokens = residents.map(({ token }) => token);

  await capacityOf(origin, tokens);
  const capacity = await capacityOf(origin, tokens);
  console.log(`capacity: ${capacity.toFixed(0)}/s, memory ${memoryOf(pid, "VmRSS")}`);
  const logged = statSync(logFile).size;
  report(await flood(origin, tokens, capacity * OVERLOAD));
  const megabytes = ((statSync(logFile).size - logged) / 2 ** 20).toFixed(1);
  console.log(`memory at most ${memoryOf(pid, "VmHWM")}, log ${megabytes} MB`);
  const after = await capacityOf(origin, tokens);
  console.log(`capacity afterwards: ${after.toFixed(0)}/s`);

  service.kill("SIGTERM");
  for (const socket of idle) socket.destroy();
  await once(service, "exit");
  await rm(logFile);
}

await setUp();
// It writes what the helpers of the tests read when they are loaded.
const { openBuilding } = await import("../test/support/building.ts");
const building = await openBuilding();
try {
  await measure(building);
} finally {
  await building.close();
  await tearDown();
}
