import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { afterEach, describe, expect, it } from "@jest/globals";
import { waitingIn } from "../../src/overload/bound.ts";
import { admit, type Door } from "../../src/overload/processor.ts";
import { connectTo, headOf } from "../support/raw-socket.ts";
import { until } from "../support/waiting.ts";

let server: Server;
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A server whose requests all arrive in one turn where they are written together. */
async function serve(door: Partial<Door> = {}) {
  const started: string[] = [];
  const refused: string[] = [];
  const listener = admit({
    overload: () => undefined,
    mostInATurn: 1,
    ...door,
    begin: (request, response) => {
      started.push(request.url ?? "");
      door.begin?.(request, response);
      response.end();
    },
    refuse: (request, response) => {
      refused.push(request.url ?? "");
      response.writeHead(503).end();
    },
  });
  server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port, started, refused };
}

const requests = (count: number, name = "r"): readonly string[] =>
  Array.from({ length: count }, (_, i) => `/${name}${i}`);
const textOf = (paths: readonly string[]): string =>
  paths.map((path) => headOf(`GET ${path}`, [])).join("");

/** As work does that needs the processor. */
function occupy(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe("requests that arrive together", () => {
  it("are started one in each turn of the event loop, in their order", async () => {
    const turns = new Set<number>();
    const { origin, started } = await serve({
      begin: () => turns.add(performance.nodeTiming.uvMetricsInfo.loopCount),
    });
    const socket = await connectTo(origin);
    socket.resume().write(textOf(requests(20)));
    await until("all", () => started.length === 20);

    expect(started).toEqual(requests(20));
    // The second is started at the end of the turn in which Node read the first.
    expect(turns.size).toBeGreaterThanOrEqual(19);
    expect(waitingIn("processor")).toBe(0);
  });

  it("are started eight in a turn, unless it is told otherwise", async () => {
    const turns = new Map<number, number>();
    const { origin, started } = await serve({
      mostInATurn: undefined,
      begin: () => {
        const turn = performance.nodeTiming.uvMetricsInfo.loopCount;
        turns.set(turn, (turns.get(turn) ?? 0) + 1);
      },
    });
    const socket = await connectTo(origin);
    socket.resume().write(textOf(requests(40)));
    await until("all", () => started.length === 40);

    expect(started).toEqual(requests(40));
    // At the end of the turn in which Node read the first eight, the next eight are started.
    expect(Math.max(...turns.values())).toBeLessThanOrEqual(16);
    expect(turns.size).toBeGreaterThanOrEqual(4);
  });

  it("are refused at once where their turn would not come in half of their patience", async () => {
    const { origin, started, refused } = await serve({ begin: () => occupy(10) });
    const socket = await connectTo(origin);
    socket.resume().write(textOf(requests(40, "first")));
    await until("a pace", () => started.length + refused.length === 40);
    const before = started.length;
    socket.write(textOf(requests(120)));
    await until("all", () => started.length + refused.length === 160);

    // In half a second fifty to sixty of them have their turn, or fewer where the machine is slow.
    expect(started.length - before).toBeLessThanOrEqual(60);
    expect(started.slice(before)).toEqual(requests(started.length - before));
  });

  it("are refused when their turn comes too late", async () => {
    const { origin, started, refused } = await serve({ patienceMs: 0 });
    const socket = await connectTo(origin);
    socket.resume().write(textOf(requests(3)));
    await until("all", () => started.length + refused.length === 3);

    expect(started).toEqual(["/r0"]);
  });

  it("are refused without waiting where they would be refused later", async () => {
    const overload = ({ url }: IncomingMessage) => (url === "/r1" ? "in vain" : undefined);
    const { origin, started, refused } = await serve({ overload });
    const socket = await connectTo(origin);
    socket.resume().write(textOf(requests(3)));
    await until("all", () => started.length + refused.length === 3);

    expect(refused).toEqual(["/r1"]);
  });

  it("are not started when their client has left", async () => {
    const { origin, started, refused } = await serve({ begin: ({ socket }) => socket.destroy() });
    const socket = await connectTo(origin);
    socket.write(textOf(requests(3)));
    await once(socket, "close");
    await until("an empty line", () => waitingIn("processor") === 0);

    expect(started).toEqual(["/r0"]);
    expect(refused).toEqual([]);
  });
});

describe("while requests wait", () => {
  it.each(["/livez", "/readyz", "/livez?from=probe"])("%s does not", async (path) => {
    const { origin, started } = await serve();
    const socket = await connectTo(origin);
    socket.resume().write(textOf([...requests(5), path]));
    await until("all", () => started.length === 6);

    expect(started).toEqual(["/r0", path, "/r1", "/r2", "/r3", "/r4"]);
  });

  it("new connections are taken: more than one for each request that is begun", async () => {
    let startedBefore = 0;
    const { origin, port, started } = await serve({
      patienceMs: 60_000,
      overload: ({ url }) => {
        if (url === "/new19") startedBefore = started.length;
        return undefined;
      },
    });
    const first = await connectTo(origin);
    first.resume().write(textOf(requests(200)));
    const sockets = requests(20, "new").map((path): Socket => {
      const socket = connect(port, "127.0.0.1");
      socket.resume().write(textOf([path]));
      return socket;
    });
    await until("all", () => started.length === 220);

    expect(startedBefore).toBeLessThan(10);
    for (const socket of sockets) socket.destroy();
  });
});
