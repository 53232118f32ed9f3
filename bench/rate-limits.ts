/**
 * The cost of counting requests. Twenty residents at once send GET /dashboard to a service without
 * limits, to one that counts in memory, and to one that counts in PostgreSQL. The services take
 * turns within one run, so that their ratios are reliable. Client and service share the processor.
 */
import { Agent, get } from "node:http";
import type { RateLimitConfig } from "../src/config.ts";
import type { Building } from "../test/support/building.ts";
import setUp from "../test/support/global-setup.ts";
import tearDown from "../test/support/global-teardown.ts";
import { type Service, startService } from "../test/support/service.ts";

const WARM_UP = 2;
const ROUNDS = 21;
const REQUESTS_EACH = 25;
const RESIDENTS = 20;

const generous = { perMinute: 999_999, perHour: 999_999 };
const contestants: Readonly<Record<string, Partial<RateLimitConfig>>> = {
  "without limits": {},
  "in memory": { ...generous, store: "memory" },
  "in PostgreSQL": { ...generous, store: "postgres" },
};

const agent = new Agent({ keepAlive: true, maxSockets: RESIDENTS });

function request(origin: string, token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    get(`${origin}/api/dashboard`, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
      response.resume().once("end", resolve);
    }).once("error", reject);
  });
}

/** Requests per second. */
async function rateOf({ origin }: Service, tokens: readonly string[]): Promise<number> {
  const start = performance.now();
  await Promise.all(
    tokens.map(async (token) => {
      for (let i = 0; i < REQUESTS_EACH; i += 1) await request(origin, token);
    }),
  );
  return (tokens.length * REQUESTS_EACH * 1_000) / (performance.now() - start);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function measure(building: Building): Promise<void> {
  const residents = await Promise.all(Array.from({ length: RESIDENTS }, building.resident));
  const runs = await Promise.all(
    Object.entries(contestants).map(async ([name, rateLimits]) => {
      const service = await startService(building.database.url("parking_api"), { rateLimits });
      const tokens = await Promise.all(
        residents.map(({ id }) => service.issuer.token({ sub: id })),
      );
      return { name, service, tokens, rates: [] as number[] };
    }),
  );

  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    for (const { service, tokens, rates } of runs) {
      const rate = await rateOf(service, tokens);
      if (round >= 0) rates.push(rate);
    }
  }
  const [baseline] = runs;
  for (const { name, rates } of runs) {
    const ratio = median(rates.map((rate, i) => rate / (baseline?.rates[i] ?? Number.NaN)));
    console.log(`${name}: ${median(rates).toFixed(0)} requests/s, ${ratio.toFixed(2)}×`);
  }
  agent.destroy();
  await Promise.all(runs.map(({ service }) => service.close()));
}

await setUp();
// It writes what the helpers of the tests read when they are loaded.
const { openBuilding } = await import("../test/support/building.ts");
const building = await openBuilding();
try {
  await measure(building);
} finally {
  await building.close();
  await tearDown();
}
