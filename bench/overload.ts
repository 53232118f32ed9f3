/**
 * Measures reads and writes at the capacity of the service, then at --times as many requests a
 * second, then with half of them by clients who leave early. Each operation takes the database
 * --busy milliseconds longer, without a processor, so that it is exhausted first. With --processor
 * the service has that share of a processor.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { withClient } from "../src/database/client.ts";
import type { Building } from "../test/support/building.ts";
import setUp from "../test/support/global-setup.ts";
import tearDown from "../test/support/global-teardown.ts";
import { clientsOf, type Outcome, type Requests } from "./overload/client.ts";
import { watchHealth } from "./overload/health.ts";
import { leaveToTheService } from "./overload/processor.ts";
import { type Measured, startMeasured } from "./overload/service.ts";
import { quantile } from "./statistics.ts";

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "120" },
    busy: { type: "string", default: "50" },
    times: { type: "string", default: "5" },
    processor: { type: "string" },
  },
});
const SHARE = options.processor === undefined ? undefined : Number(options.processor);
const SECONDS = Number(options.seconds);
const OVERLOAD = Number(options.times);
/** As people wait for an answer. */
const IN_TIME_MS = 1_000;
const PATIENCE_MS = 5_000;
/** Shorter than a request waits for its turn under overload. */
const IMPATIENCE_MS = 100;

/** Each dashboard and each new spot takes the database longer, and is counted. */
const slowedDown = (milliseconds: number): string => `
  create function private.take_long() returns void language plpgsql as $$
    begin perform pg_sleep(${milliseconds / 1000}); end $$;
  create function private.take_long_to_insert() returns trigger language plpgsql security definer as $$
    begin perform private.take_long(); return new; end $$;
  create trigger slow before insert on parking.spots
    for each row execute function private.take_long_to_insert();
  alter function api.get_dashboard() rename to get_dashboard_at_once;
  create function api.get_dashboard(
    out total_spots bigint, out active_spots bigint, out total_claims bigint, out active_claims bigint
  ) returns setof record language plpgsql as $$
    begin perform private.take_long(); return query select * from api.get_dashboard_at_once(); end $$;
  grant execute on function api.get_dashboard(), private.take_long() to parking_api`;

/** Takes turns among that many people. */
function requestsOf(tokens: readonly string[], write: boolean): Requests {
  let sent = 0;
  return () => {
    sent += 1;
    const head = `Host: localhost\r\nAuthorization: Bearer ${tokens[sent % tokens.length]}\r\n`;
    if (!write) return `GET /api/dashboard HTTP/1.1\r\n${head}\r\n`;
    const body = JSON.stringify({ spot_number: `${sent}`, building_section: "North" });
    const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    return `POST /api/parking-spots HTTP/1.1\r\n${head}${type}\r\n${body}`;
  };
}

const isServed = ({ status }: Outcome): boolean => status >= 200 && status < 300;
const isInTime = ({ milliseconds }: Outcome): boolean => milliseconds <= IN_TIME_MS;
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function describe(outcomes: readonly Outcome[], seconds: number): string[] {
  return [...new Set(outcomes.map(({ status }) => status))].toSorted().map((status) => {
    const those = outcomes.filter((outcome) => outcome.status === status);
    const times = those.map(({ milliseconds }) => milliseconds);
    const [median, slow, most] = [0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(0));
    const silent = those.filter(({ hasRetryAfter }) => !hasRetryAfter).length;
    const retry = status === 503 ? `, ${silent} without Retry-After` : "";
    return `  ${status || "gave up"}: ${(those.length / seconds).toFixed(0)}/s, ${percent(those.length / outcomes.length)}, median ${median} ms, 99 % ${slow} ms, most ${most} ms${retry}`;
  });
}

/** Memory every few seconds while something runs. */
async function watching<T>(
  service: Measured,
  run: Promise<T>,
): Promise<{ result: T; memory: string }> {
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(service.memory()), (SECONDS * 1000) / 8);
  const result = await run;
  clearInterval(timer);
  return { result, memory: samples.map((megabytes) => megabytes.toFixed(0)).join(", ") };
}

async function measure(building: Building, service: Measured, requests: Requests): Promise<void> {
  const executions = async (): Promise<number> => {
    await sleep(11_000); // a connection that is idle reports what it did after ten seconds
    const [row] = await building.rows<{ calls: number }>(
      "select calls::integer from pg_stat_user_functions where funcname = 'take_long'",
    );
    return row?.calls ?? 0;
  };
  const clients = clientsOf(service.origin, PATIENCE_MS);
  await clients.capacity(requests, 3);
  const capacity = await clients.capacity(requests, 5);
  const rate = OVERLOAD * capacity;
  console.log(`  capacity ${capacity.toFixed(0)}/s, then ${rate.toFixed(0)}/s for ${SECONDS} s`);

  const [time, logged, before] = [service.processorTime(), service.logged(), service.memory()];
  const paths = ["/livez", "/readyz"];
  const watches = paths.map((path) => watchHealth(service.origin, path));
  const flood = clients.flood(requests, rate, SECONDS);
  const { result: outcomes, memory } = await watching(service, flood);
  const health = await Promise.all(watches.map((watch) => watch.stop()));
  for (const line of describe(outcomes, SECONDS)) console.log(line);
  const served = outcomes.filter(isServed);
  const [goodput, inTime] = [served, served.filter(isInTime)].map((those) =>
    percent(those.length / SECONDS / capacity),
  );
  const cut = outcomes.filter(({ wasCut }) => wasCut).length;
  console.log(`  answered ${goodput} of the capacity, ${inTime} within a second`);
  console.log(`  ${cut} connections cut by the service`);
  for (const [i, { longest, asked, failed }] of health.entries()) {
    console.log(
      `  ${paths[i]} ${asked} times, at most ${longest.toFixed(0)} ms, ${failed} not 200`,
    );
  }
  console.log(`  memory ${before.toFixed(0)} MB before, then ${memory} MB`);
  console.log(
    `  processor ${percent((service.processorTime() - time) / SECONDS)} of one, log ${(service.logged() - logged).toFixed(1)} MB`,
  );
  const afterwards: string[] = [];
  for (let second = 0; second < 5; second++) {
    afterwards.push(percent((await clients.capacity(requests, 1)) / capacity));
  }
  console.log(`  capacity in each second afterwards: ${afterwards.join(", ")}`);
  clients.close();

  if (SHARE !== undefined) return;

  // Half of them leave early: they should have cost nothing but their place in the queue.
  const [patient, impatient] = [PATIENCE_MS, IMPATIENCE_MS].map((it) =>
    clientsOf(service.origin, it),
  );
  if (!patient || !impatient) return;
  const first = await executions();
  const floods = [patient, impatient].map((it) => it.flood(requests, rate / 2, 10));
  const [stayed = [], left = []] = await Promise.all(floods);
  const ran = (await executions()) - first;
  const answered = [...stayed, ...left].filter(isServed).length;
  const gone = left.filter(({ status }) => status === 0).length;
  console.log(
    `  ${gone} clients left after ${IMPATIENCE_MS} ms among ${stayed.length} who stayed: ${ran} requests reached the database, ${answered} were served`,
  );
  patient.close();
  impatient.close();
}

if (SHARE !== undefined) leaveToTheService();
await setUp();
// It writes what the helpers of the tests read when they are loaded.
const { openBuilding } = await import("../test/support/building.ts");
const building = await openBuilding();
try {
  const residents = await Promise.all(Array.from({ length: 20 }, building.resident));
  const tokens = residents.map(({ token }) => token);
  await building.rows(slowedDown(Number(options.busy)));
  await withClient(building.database.url("postgres"), (superuser) =>
    superuser.query(`alter database ${building.database.name} set track_functions = 'pl'`),
  );
  const service = await startMeasured(building, SHARE);
  for (const write of [false, true]) {
    console.log(write ? "POST /api/parking-spots" : "GET /api/dashboard");
    await measure(building, service, requestsOf(tokens, write));
  }
  await service.stop();
} finally {
  await building.close();
  await tearDown();
}
