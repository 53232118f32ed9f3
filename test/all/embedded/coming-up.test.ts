import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, jest } from "@jest/globals";
import { comesUp } from "../../../src/embedded/server.ts";
import { createLogger } from "../../../src/log/logger.ts";

const server = {
  pid: 4_711,
  ended: new Promise<null>(() => {}),
  error: async (): Promise<string | undefined> => undefined,
};
const { signal } = new AbortController();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "embedded-test-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Writes what a server says of itself in its folder. */
const say = (state: string, pid = server.pid) =>
  writeFile(
    join(folder, "postmaster.pid"),
    [pid, folder, 1_795_000_000, 5_432, "", "127.0.0.1", "", `${state.padEnd(8)}\n`].join("\n"),
  );

it.each(["ready", "standby"])("waits for no server that is %s", async (state) => {
  await say(state);
  expect(await comesUp(server, { folder, signal })).toBe(true);
});

it("waits for a server as long as that says that it starts, and says so", async () => {
  await say("starting");
  const logger = createLogger("silent");
  const info = jest.spyOn(logger, "info").mockImplementationOnce(() => void say("ready"));
  expect(await comesUp(server, { folder, signal, logger, patienceMs: 0 })).toBe(true);
  expect(info).toHaveBeenCalledWith(expect.stringContaining("still starting"));
});

it("does not wait for one that says nothing", async () => {
  expect(await comesUp(server, { folder, signal, patienceMs: 0 })).toBe(false);
});

it("does not believe what another server left behind", async () => {
  await say("ready", 1);
  expect(await comesUp(server, { folder, signal, patienceMs: 0 })).toBe(false);
});

it("does not wait for one that ends", async () => {
  await say("starting");
  const ending = { ...server, ended: Promise.resolve(1) };
  expect(await comesUp(ending, { folder, signal })).toBe(false);
});

it("does not wait for one that could not be spawned", async () => {
  const ended = Promise.reject(new Error("spawn /bin/sh ENOENT"));
  expect(await comesUp({ ...server, ended }, { folder, signal })).toBe(false);
});

it("does not wait where nobody does any more", async () => {
  await say("starting");
  const stopping = new AbortController();
  const isUp = comesUp(server, { folder, signal: stopping.signal });
  stopping.abort();
  expect(await isUp).toBe(false);
});

it("does not wait for one that says for ever that it starts, and whose log says that it failed", async () => {
  await say("starting");
  const error = jest.fn(server.error).mockResolvedValueOnce(undefined).mockResolvedValue("no room");
  expect(await comesUp({ ...server, error }, { folder, signal, patienceMs: 0 })).toBe(false);
  expect(error).toHaveBeenCalledTimes(2);
});
