import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { Program, Programs } from "../../../src/embedded/programs.ts";
import { comesUp, superviseServer } from "../../../src/embedded/server.ts";
import { createLogger } from "../../../src/log/logger.ts";
import { until } from "../../support/waiting.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "embedded-test-"));
});
afterEach(() => rm(folder, { recursive: true }));

const PID = 4_711;

/** Writes what a server says of itself in its folder. */
const say = (state: string, pid = PID) =>
  writeFile(
    join(folder, "postmaster.pid"),
    [pid, folder, 1_795_000_000, 5_432, "", "127.0.0.1", "", `${state.padEnd(8)}\n`].join("\n"),
  );

describe("comesUp", () => {
  const server = {
    pid: PID,
    ended: new Promise<null>(() => {}),
    error: async (): Promise<string | undefined> => undefined,
  };
  const { signal } = new AbortController();

  it("waits as long as a server says that it starts, and logs it", async () => {
    await say("starting");
    const logger = createLogger("silent");
    const info = jest.spyOn(logger, "info").mockImplementationOnce(() => void say("standby"));
    expect(await comesUp(server, folder, signal, logger, 0)).toBe(true);
    expect(info).toHaveBeenCalledWith(expect.stringContaining("still starting"));
  });

  it("does not wait for one that says nothing, nor believe what another left behind", async () => {
    expect(await comesUp(server, folder, signal, undefined, 0)).toBe(false);
    await say("ready", 1);
    expect(await comesUp(server, folder, signal, undefined, 0)).toBe(false);
  });

  it("does not wait for one that ends, nor when nobody needs it any more", async () => {
    await say("starting");
    const ending = { ...server, ended: Promise.resolve(1) };
    expect(await comesUp(ending, folder, signal)).toBe(false);
    expect(await comesUp(server, folder, AbortSignal.timeout(0))).toBe(false);
  });

  it("does not wait for one that starts for ever and whose log has an error", async () => {
    await say("starting");
    const error = jest.fn(server.error).mockResolvedValueOnce(undefined).mockResolvedValue("room");
    expect(await comesUp({ ...server, error }, folder, signal, undefined, 0)).toBe(false);
    expect(error).toHaveBeenCalledTimes(2);
  });
});

it("a server that comes up and ends at once is started again after ever longer pauses", async () => {
  let starts = 0;
  const start = async (): Promise<Program> => {
    starts += 1;
    await say("ready");
    const ended = sleep(50, 1);
    return { pid: PID, ended, error: async () => undefined, [Symbol.asyncDispose]: async () => {} };
  };
  const programs: Programs = { major: "18", start, handOver: async () => {} };
  const logger = createLogger("silent");
  const error = jest.spyOn(logger, "error");
  const place = { folder, log: join(folder, "postgres.log") };
  await using server = await superviseServer(programs, place, { logger });
  expect(server.port).toBeGreaterThan(0);
  await until("a second server", async () => starts > 1);
  // After 200, 400, 800 and 1,600 ms: with equal pauses there would be ten or more.
  await sleep(2_500);
  expect(starts).toBeLessThanOrEqual(6);
  expect(error).toHaveBeenCalledWith(
    { exitCode: 1, log: place.log },
    expect.stringContaining("ended"),
  );
});
