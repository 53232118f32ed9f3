import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "@jest/globals";
import { createPool } from "../../src/database/pool.ts";
import { createLogger } from "../../src/log/logger.ts";
import { createEventStreams, STREAM_CONNECTIONS } from "../../src/rest/events/streams.ts";
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

it("cuts off who does not read, and keeps little for them meanwhile", async () => {
  const person = await building.resident();
  const latest = await orderEvents(building.service);
  const logger = createLogger("silent");
  const pool = createPool(building.database.url("parking_api"), logger, {
    max: STREAM_CONNECTIONS,
  });
  const tokens = { verify: async () => ({ sub: person.id }) };
  const streams = createEventStreams({ pool, tokens, logger, patienceMs: 1_500 });
  const responses: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    responses.push(response);
    streams.open({
      person: person.id,
      authorization: undefined,
      latest,
      after: undefined,
      begin: () => response.writeHead(200),
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const reader = await listenTo({ origin }, person);
  const socket = await connectTo(origin);
  socket.pause();
  socket.write(headOf("GET /api/events", []));
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
  await streams.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await pool.end();
});
