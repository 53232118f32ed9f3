import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it, jest } from "@jest/globals";
import { comesUp } from "../../../src/embedded/coming-up.ts";
import { createLogger } from "../../../src/log/logger.ts";

const running = { ended: new Promise<null>(() => {}) };

/** A message of PostgreSQL's protocol. */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}
const starting = message(
  "E",
  Buffer.from("SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0"),
);
const up = Buffer.concat([message("R", Buffer.alloc(4)), message("Z", Buffer.from("I"))]);

/** A server that says so many times that it is starting. */
async function startingServer(times: number) {
  let asked = 0;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      asked += 1;
      if (asked <= times) socket.end(starting);
      else socket.write(up);
    });
    socket.on("data", (data) => data[0] === "X".charCodeAt(0) && socket.end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://somebody@127.0.0.1:${port}/postgres?sslmode=disable`,
    asked: () => asked,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

// One that may say nothing for no time at all is waited for only because it says something.
const patience = { silenceMs: 0, hasFailed: async () => false };

it("waits for a server as long as that says that it starts, and says so", async () => {
  await using server = await startingServer(5);
  const logger = createLogger("silent");
  const info = jest.spyOn(logger, "info");
  expect(await comesUp(running, server.url, { ...patience, logger })).toBe(true);
  expect(server.asked()).toBe(6);
  expect(info).toHaveBeenCalledWith(expect.stringContaining("still starting"));
});

it("does not wait for one that says nothing", async () => {
  const server = await startingServer(0);
  await server[Symbol.asyncDispose]();
  expect(await comesUp(running, server.url, patience)).toBe(false);
});

it("does not wait for one that ends", async () => {
  await using server = await startingServer(Number.POSITIVE_INFINITY);
  const ending = { ended: Promise.resolve(1) };
  expect(await comesUp(ending, server.url, patience)).toBe(false);
});

it("does not wait for one that could not be spawned", async () => {
  await using server = await startingServer(Number.POSITIVE_INFINITY);
  const ended = Promise.reject(new Error("spawn /bin/sh ENOENT"));
  expect(await comesUp({ ended }, server.url, patience)).toBe(false);
});

it("does not wait where nobody does any more", async () => {
  await using server = await startingServer(Number.POSITIVE_INFINITY);
  const stopping = new AbortController();
  const { signal } = stopping;
  const isUp = comesUp(running, server.url, { ...patience, signal });
  stopping.abort();
  expect(await isUp).toBe(false);
});

it("does not wait for one that says for ever that it starts, and whose log says that it failed", async () => {
  await using server = await startingServer(Number.POSITIVE_INFINITY);
  let looks = 0;
  const hasFailed = async () => ++looks === 3;
  expect(await comesUp(running, server.url, { ...patience, hasFailed })).toBe(false);
  expect(server.asked()).toBeGreaterThanOrEqual(3);
});
