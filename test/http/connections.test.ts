import { once } from "node:events";
import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type Building, openBuilding } from "../support/building.ts";
import { within } from "../support/effort.ts";
import { connectTo, everythingFrom, headOf } from "../support/raw-socket.ts";

/** Shorter than the service's, so that tests are fast. */
const timeouts = { headersTimeout: 1_000, requestTimeout: 2_000, connectionsCheckingInterval: 20 };

let building: Building;
afterEach(() => building.close());

/** How long, in milliseconds, a client that sends a byte now and then stays connected. */
async function drip(socket: Socket, beginning: string, drop: string): Promise<number> {
  const start = performance.now();
  socket.write(beginning);
  const dripping = setInterval(() => socket.write(drop), 20);
  await everythingFrom(socket);
  clearInterval(dripping);
  return performance.now() - start;
}

describe("a client that never ends", () => {
  let socket: Socket;
  beforeEach(async () => {
    building = await openBuilding({ timeouts });
    socket = await connectTo(building.service.origin);
  });

  it("its headers gets 408, and is cut off", async () => {
    socket.write("GET /livez HTTP/1.1\r\n");

    expect(await everythingFrom(socket)).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
  });

  it("its headers is cut off, also when it keeps sending", async () => {
    const milliseconds = await drip(socket, "GET /livez HTTP/1.1\r\n", "X-Slow: 1\r\n");

    expect(milliseconds).toBeGreaterThanOrEqual(timeouts.headersTimeout - 1);
    expect(milliseconds).toBeLessThan(within(10 * timeouts.headersTimeout));
  });

  it("its body is cut off", async () => {
    const { token } = await building.newcomer();
    const head = headOf("POST /api/claims", [
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      "Content-Length: 100000",
    ]);

    const milliseconds = await drip(socket, head, " ");

    expect(milliseconds).toBeGreaterThanOrEqual(timeouts.requestTimeout - 1);
    expect(milliseconds).toBeLessThan(within(10 * timeouts.requestTimeout));
  });
});

describe("a connection", () => {
  it("serves one request after the other, and says how long it stays open", async () => {
    building = await openBuilding();
    const socket = await connectTo(building.service.origin);
    const answers = everythingFrom(socket);

    socket.write(headOf("GET /livez", []));
    await once(socket, "data");
    socket.write(headOf("GET /livez", ["Connection: close"]));

    const [first, second, ...more] = (await answers).split(/(?<=})(?=HTTP)/);
    expect(first).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(first).toMatch(/^Connection: keep-alive\r$/m);
    expect(first).toMatch(/^Keep-Alive: timeout=65\r$/m);
    expect(second).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(second).toMatch(/^Connection: close\r$/m);
    expect(more).toEqual([]);
  });

  it("is closed when it was idle for too long", async () => {
    building = await openBuilding({ timeouts: { keepAliveTimeout: 50 } });
    const socket = await connectTo(building.service.origin);

    socket.write(headOf("GET /livez", []));

    expect(await everythingFrom(socket)).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  });
});

describe("a client that does not read", () => {
  const requests = (count: number, path: string) => headOf(`GET ${path}`, []).repeat(count);

  it("is cut off when it should have taken its answers", async () => {
    building = await openBuilding({ timeouts: { exchangeTimeout: 300 } });
    const socket = await connectTo(building.service.origin);
    socket.pause().write(requests(10, "/docs/swagger-ui-bundle.js"));

    // Only who writes learns that nobody listens any more.
    const writing = setInterval(() => socket.write("\r\n"), 20);
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(writing);
  });

  it("has at most ten requests at a time on a connection", async () => {
    building = await openBuilding();
    const ten = await connectTo(building.service.origin);
    const eleven = await connectTo(building.service.origin);
    ten.write(requests(9, "/livez") + headOf("GET /livez", ["Connection: close"]));
    eleven.write(requests(11, "/livez"));

    const [answers, nothing] = await Promise.all([everythingFrom(ten), everythingFrom(eleven)]);
    expect(answers.match(/HTTP\/1.1 200 OK/g)).toHaveLength(10);
    expect(nothing).toBe("");
  });
});
