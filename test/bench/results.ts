import type { Result } from "../../bench/rounds.ts";

/** A result with these rates, and else the same as any other. */
export const result = (contender: string, rates: readonly number[], more = {}): Result => ({
  measurement: "GET /claims",
  contender,
  rates,
  rate: rates[0] ?? Number.NaN,
  p50: 2,
  p99: 10.25,
  serverCpu: 100,
  databaseCpu: undefined,
  memory: 120.4,
  ...more,
});
