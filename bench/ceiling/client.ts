/**
 * The ceiling, a process of its own: it sends the database what the service sends, 32 requests in
 * flight over 10 connections, and does nothing with the answers but count them.
 */

import { describedRoutes } from "../../src/contract/described.ts";
import { createPool } from "../../src/database/pool.ts";
import { createLogger } from "../../src/log/logger.ts";
import type { Job, Sample } from "../load/script.ts";
import { quantile } from "../statistics.ts";
import { type Line, openLine } from "./line.ts";
import { questionOf } from "./questions.ts";

const LINES = 10;

let opened: { readonly key: string; readonly lines: readonly Line[] } | undefined;

process.on("message", async (job: Job) => process.send?.(await run(job)));

async function run(job: Job): Promise<Sample> {
  const lines = await linesFor(job);
  const latencies: number[] = [];
  const start = performance.now();
  const elapsed = () => (performance.now() - start) / 1000;
  let [sent, seconds] = [0, 0];

  const turn = async (line: Line): Promise<void> => {
    while (elapsed() < job.seconds || latencies.length < job.answers) {
      const { promise, resolve } = Promise.withResolvers<number>();
      line.send(sent++, resolve);
      latencies.push(await promise);
      seconds = elapsed();
    }
  };
  const inFlight = job.scripts.map((_, i) => lines[i % lines.length]);
  await Promise.all(inFlight.map((line) => (line === undefined ? undefined : turn(line))));
  return {
    count: latencies.length,
    seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}

/** Opened once for a measurement, in the warm-up. */
async function linesFor({ origin, scripts }: Job): Promise<readonly Line[]> {
  const key = JSON.stringify([origin, scripts]);
  if (opened?.key === key) return opened.lines;
  for (const line of opened?.lines ?? []) line.close();
  const pool = createPool(origin, createLogger("silent"));
  const routes = await describedRoutes(pool).finally(() => pool.end());
  const questions = scripts.map((script) => questionOf(script, routes));
  const lines = await Promise.all(Array.from({ length: LINES }, () => openLine(origin, questions)));
  opened = { key, lines };
  return lines;
}
