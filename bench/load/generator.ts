/** The load generator, a process of its own: for each job that it is sent, it sends back an outcome. */
import autocannon, { type Client } from "autocannon";
import { quantile } from "../statistics.ts";
import { type Connection, connectionOf } from "./connection.ts";
import type { Job, Outcome } from "./script.ts";

declare module "autocannon" {
  interface Client {
    destroy(): void;
  }
}

const TIMEOUT_SECONDS = 10;

process.on("message", async (job: Job) => process.send?.(await run(job)));

/**
 * Answers count until the time is over and there are enough of them. Then each connection completes
 * its script and ends.
 */
async function run({ origin, seconds, answers, scripts }: Job): Promise<Outcome> {
  const failures: string[] = [];
  const fail = (reason: string) => failures.push(reason);
  const waiting = scripts.map((script) => connectionOf(script, fail));
  const connections = new Map<Client, Connection>();
  const statuses = new Set(scripts.flatMap(({ steps }) => steps.flatMap((it) => it.statuses)));
  const latencies: number[] = [];

  const { promise, resolve } = Promise.withResolvers<void>();
  const start = performance.now();
  let taken = 0;
  const instance = autocannon(
    {
      url: origin,
      connections: scripts.length,
      duration: seconds + TIMEOUT_SECONDS,
      sampleInt: 20, // it returns with a sample
      timeout: TIMEOUT_SECONDS,
      setupClient(client) {
        const connection = waiting.pop();
        if (connection === undefined) return;
        connections.set(client, connection);
        client.setRequests([connection.request]);
      },
    },
    (error) => {
      if (error) fail(String(error));
      resolve();
    },
  );
  instance.on("response", (client, status, _bytes, milliseconds) => {
    if (taken < seconds || latencies.length < answers) {
      latencies.push(milliseconds);
      taken = (performance.now() - start) / 1000;
    } else if (connections.get(client)?.isComplete()) client.destroy();
    if (!statuses.has(status)) fail(`an answer has status ${status}`);
  });
  instance.on("reqError", (error) => fail(String(error)));
  await promise;

  const [failure] = failures;
  if (failure !== undefined) return { failure };
  return {
    count: latencies.length,
    seconds: taken,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}
