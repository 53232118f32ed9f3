import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "@jest/globals";
import { createPool } from "../../src/database/pool.ts";
import { overloaded } from "../../src/errors/problem.ts";
import { createLogger } from "../../src/log/logger.ts";
import { createEventStreams, STREAM_CONNECTIONS } from "../../src/rest/events/streams.ts";
import { tokenRefused } from "../../src/tokens/verifier.ts";
import { useBuilding } from "../support/building.ts";
import { listenTo, orderEvents } from "../support/events.ts";
import { connectTo, headOf } from "../support/raw-socket.ts";
import { until } from "../support/waiting.ts";

const building = useBuilding();

/** More than the buffers of the system take. */
const COUNT = 1_500;
const LENGTH = 20_000;
const large =
  "insert into private.new_events (type, subject_id, data) select 'spot.updated', uuidv7(), jsonb_build_object('spot_number', repeat('x', $2)) from generate_series(1, $1)";

/** Streams of people whose token is their id, who were told before that the log goes so far. */
async function streamsFrom(latest: number, verify = async () => ({ sub: "" })) {
  const logger = createLogger("silent");
  const pool = createPool(building.database.url("parking_api"), logger, {
    max: STREAM_CONNECTIONS,
  });
  const streams = createEventStreams({ pool, tokens: { verify }, logger, patienceMs: 8_000 });
  const responses: ServerResponse[] = [];
  const server = createServer(({ headers: { authorization = "" } }, response) => {
    responses.push(response);
    const person = authorization.replace("Bearer ", "");
    const begin = () => response.writeHead(200);
    streams.open({ person, authorization, latest, after: undefined, begin });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    streams,
    responses,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      await streams.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await pool.end();
    },
  };
}

it("cuts off who does not read, and keeps little for them meanwhile", async () => {
  const person = await building.resident();
  const latest = await orderEvents(building.service);
  await using served = await streamsFrom(latest);
  const { streams, responses, origin } = served;

  const reader = await listenTo(served, { token: person.id });
  const socket = await connectTo(origin);
  socket.pause();
  socket.write(headOf("GET /api/events", [`Authorization: Bearer ${person.id}`]));
  await until("both streams", () => streams.count() === 2);

  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, ...responses.map((it) => it.writableLength));
  }, 1);
  await building.rows(large, [COUNT, LENGTH]);
  for (let last = 0; last < latest + COUNT; ) last = await orderEvents(building.service);
  await until("the slow one's end", () => streams.count() === 1);
  await reader.until(({ length }) => length === COUNT);
  clearInterval(watch);

  expect(streams.dropped()).toBe(1);
  expect(most).toBeGreaterThan(LENGTH);
  expect(most).toBeLessThan(300_000 + 2 * LENGTH);
  expect(reader.heard.map(({ id }) => id)).toEqual(
    Array.from({ length: COUNT }, (_, at) => latest + at + 1),
  );
  socket.destroy();
});

it("has what happened while the stream was about to open", async () => {
  const [first, second] = [await building.resident(), await building.resident()];
  const latest = await orderEvents(building.service);
  await using served = await streamsFrom(latest);
  const early = await listenTo(served, { token: first.id });

  await building.rows(large, [3, 1]);
  await orderEvents(building.service);
  await early.until(({ length }) => length === 3);
  // It was asked where the log is before these events, and opens after the others have them.
  const late = await listenTo(served, { token: second.id });
  await building.rows(large, [1, 1]);
  await orderEvents(building.service);

  const heard = await late.until((events) => events.some(({ id }) => id === latest + 4));
  expect(heard.map(({ id }) => id)).toEqual([1, 2, 3, 4].map((count) => latest + count));
});

it("goes on while nobody can tell whether the key of a machine is good, and ends once it is not", async () => {
  const person = await building.resident();
  let failure: unknown = Object.assign(new Error("connect ECONNREFUSED"), { syscall: "connect" });
  let asked = 0;
  await using served = await streamsFrom(await orderEvents(building.service), async () => {
    asked += 1;
    throw failure;
  });
  const ear = await listenTo(served, { token: person.id });
  await until("two questions", () => asked >= 2);
  failure = overloaded("too many wait");
  asked = 0;
  await until("two more", () => asked >= 2);
  expect(served.streams.count()).toBe(1);
  failure = tokenRefused(new Error("there is no such key"));
  expect(await ear.over).toBe("ended");
});
