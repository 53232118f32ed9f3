import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { projectFolder } from "../../../src/project-folder.ts";
import { useArena } from "../../support/arena.ts";
import { within } from "../../support/effort.ts";
import { environment } from "../../support/environment.ts";
import { noRateLimits } from "../../support/program.ts";
import { connectTo, headOf } from "../../support/raw-socket.ts";
import { withTransactionOf } from "../../support/sql.ts";
import { until, untilWaiting } from "../../support/waiting.ts";

const building = useArena(2);
const person = building.shared("resident");
let child: ChildProcess;
afterEach(() => void child.kill("SIGKILL"));

type Settings = Readonly<Record<string, string>>;

/** Runs the service by a command. */
function run(command: string, args: readonly string[], settings: Settings = {}): void {
  const { issuer, audience } = building.service.issuer;
  child = spawn(command, args, {
    cwd: projectFolder,
    env: {
      ...environment,
      HOME: process.env.HOME,
      DATABASE_URL: building.database.url("parking_api"),
      AUTH_ISSUER: issuer,
      AUTH_AUDIENCE: audience,
      PORT: "0",
      LOG_LEVEL: "silent",
      ...noRateLimits,
      ...settings,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** Starts it; answers where it is. */
async function start(...command: Parameters<typeof run>): Promise<string> {
  run(...command);
  let printed = "";
  child.stderr?.on("data", (text) => {
    printed += String(text);
  });
  await until("an address", () => /http:\S+\n/.test(printed));
  return new URL(/http:\S+/.exec(printed)?.[0] ?? "").origin;
}
const startProgram = (settings = {}) => start(process.execPath, ["src/main.ts"], settings);

/** The status of an answer, or the code of the error. */
const ask = (
  origin: string,
  agent?: Agent,
  path = "/api/parking-spots",
): Promise<number | string | undefined> =>
  new Promise((resolve) => {
    const headers = { Authorization: `Bearer ${person.token}` };
    get(origin + path, { agent, headers }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode));
    }).once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
  });

/** By connecting only: a request could still be taken, and wait as long as the others. */
const untilRefused = (origin: string): Promise<void> =>
  until("nobody to take connections", async () => {
    try {
      (await connectTo(origin)).destroy();
      return false;
    } catch {
      return true;
    }
  });

describe("a service that is stopped", () => {
  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "by %s under load answers every request",
    async (signal) => {
      const origin = await startProgram();
      const agent = new Agent({ keepAlive: true, maxSockets: 32 });
      const exited = once(child, "exit");
      let answered = 0;
      const ends = Promise.all(
        Array.from({ length: 32 }, async () => {
          for (;;) {
            const outcome = await ask(origin, agent);
            // 503 is an answer too: a busy machine has no time for as many.
            if (outcome !== 200 && outcome !== 503) return outcome;
            answered += 1;
          }
        }),
      );
      await until("some answers", () => answered > 320);
      child.kill(signal);

      // Each client is sent away from its connection, and then finds nobody who takes a new one.
      expect(new Set(await ends)).toEqual(new Set(["ECONNREFUSED"]));
      expect(await exited).toEqual([0, null]);
      agent.destroy();
    },
  );

  it("answers what is under way, and does not wait for a slow client for ever", async () => {
    // A busy machine takes longer than locks and statements are waited for otherwise.
    const patience = "-c lock_timeout=60s -c statement_timeout=60s";
    const patient = `?options=${encodeURIComponent(patience)}`;
    const origin = await startProgram({
      DATABASE_URL: building.database.url("parking_api") + patient,
    });
    const slow = await connectTo(origin);
    const cut = once(slow, "close");
    const body = ["Content-Type: application/json", "Content-Length: 100"];
    const authorization = `Authorization: Bearer ${person.token}`;
    slow.write(`${headOf("POST /api/parking-spots", [authorization, ...body])}{"spot_number":`);
    const exited = once(child, "exit");
    let stoppedAt = 0;
    await withTransactionOf(building.superuser, async (client) => {
      await client.query("lock table parking.spots in access exclusive mode");
      const headers = { Authorization: `Bearer ${person.token}` };
      const answer = fetch(`${origin}/api/parking-spots`, { headers });
      await untilWaiting(building, 1);
      child.kill("SIGTERM");
      stoppedAt = performance.now();
      await untilRefused(origin);
      await client.query("rollback");
      const { status, headers: said } = await answer;
      expect([status, said.get("Connection")]).toEqual([200, "close"]);
    });
    await cut;
    expect(await exited).toEqual([0, null]);
    expect(performance.now() - stoppedAt).toBeLessThan(within(20_000));
  });

  it("answers what has connected and is not accepted yet", async () => {
    const origin = await startProgram();
    child.kill("SIGSTOP");
    const sockets = await Promise.all(Array.from({ length: 50 }, () => connectTo(origin)));
    const answers = sockets.map((socket) => text(socket.setEncoding("utf8")));
    for (const socket of sockets) socket.write(headOf("GET /nowhere", []));
    child.kill("SIGTERM");
    child.kill("SIGCONT");

    for (const answer of await Promise.all(answers))
      expect(answer).toMatch(/^HTTP\/1.1 404 Not Found\r\n/);
  });

  it("lets go of connections that are idle", async () => {
    const origin = await startProgram();
    const agent = new Agent({ keepAlive: true });
    expect(await ask(origin, agent)).toBe(200);
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
    agent.destroy();
  });

  it("ends at once at a second signal, whatever it waits for", async () => {
    const origin = await startProgram();
    await withTransactionOf(building.superuser, async (client) => {
      await client.query("lock table parking.spots in access exclusive mode");
      const answer = ask(origin);
      await untilWaiting(building, 1);
      const exited = once(child, "exit");
      child.kill("SIGINT");
      child.kill("SIGINT"); // npm passes on what the terminal has sent already
      await untilRefused(origin); // it has heard the first
      await sleep(700);
      expect(child.exitCode).toBeNull();
      child.kill("SIGTERM");
      expect(await exited).toEqual([1, null]);
      expect(await answer).toBe("ECONNRESET");
    });
  });
});

it("a service that waits for its database ends at once", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  run(process.execPath, ["src/main.ts"], { DATABASE_URL: `postgres://a@127.0.0.1:${port}/a` });
  const [socket] = await once(silent, "connection");
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const end = await exited;
  socket.destroy();
  silent.close();

  // By itself: process 1 of a container would survive what the signal does by default.
  expect(end).toEqual([0, null]);
});

it("npm start leaves nothing behind when npm is stopped", async () => {
  const origin = await start("npm", ["start"]);
  expect(await ask(origin)).toBe(200);
  child.stderr?.destroy(); // what is left behind would keep it open, and the tests from ending
  child.kill("SIGTERM");
  await untilRefused(origin);
});
