import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { acceptWaiting, stopServer } from "../../src/http/stopping.ts";

const server = createServer();
const clients: ReturnType<typeof connect>[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  server.close();
  server.removeAllListeners("connection");
});

/** Lets this many clients wait to be accepted, each for this long. Returns how many were so far. */
async function clientsWait(count: number, milliseconds = 0): Promise<() => number> {
  let accepted = 0;
  server.on("connection", (socket) => {
    socket.on("error", () => undefined);
    accepted += 1;
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  for (let i = 0; i < count; i += 1)
    clients.push(connect(port, "127.0.0.1").on("error", () => undefined));
  return () => accepted;
}

describe("a server that is about to stop", () => {
  it("accepts all who wait, however busy the machine is", async () => {
    const accepted = await clientsWait(20, 75);
    await acceptWaiting(server, { milliseconds: Number.POSITIVE_INFINITY });
    expect(accepted()).toBe(20);
  });

  it("accepts no more than can wait, though more connect all the time", async () => {
    const accepted = await clientsWait(20);
    await acceptWaiting(server, { connections: 5 });
    expect(accepted()).toBeLessThan(20);
  });

  it("ends after no long turn, in which somebody may have come", async () => {
    await clientsWait(0);
    let longTurns = 5;
    const work = (): void => {
      const end = performance.now() + 20;
      while (performance.now() < end);
      if (--longTurns > 0) setImmediate(work);
    };
    setImmediate(work);
    await acceptWaiting(server);
    expect(longTurns).toBe(0);
  });

  it("closes what is open also where that took longer than a stop may", async () => {
    const server = createServer();
    await once(server.listen(0, "127.0.0.1"), "listening");
    const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
    const closed = once(
      client.on("error", () => undefined),
      "close",
    );
    client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(server, "request");
    await stopServer(server, 60_000);
    await closed;
  });

  it("says how long it took", async () => {
    await clientsWait(3, 40);
    expect(await acceptWaiting(server)).toBeGreaterThanOrEqual(120);
  });
});
