/** `npm run jobs`: lists waiting and failed jobs, with the reason, and retries them. */
import type { Client } from "pg";
import { type Config, isDevelopment, readConfig } from "../config/config.ts";
import { createPool, poolOptions } from "../database/pool.ts";
import { withServiceUrl } from "../embedded/database.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { startKnownJobs } from "../jobs/kinds.ts";
import { mailerOf } from "../jobs/mail.ts";
import { createLogger } from "../log/logger.ts";
import { stopAtSignals } from "../stop-at-signals.ts";
import { asOwner } from "./owner.ts";
import { runCommand, wrongUsage } from "./run-command.ts";

const usage = "npm run jobs [-- failed | retry <id or all> | run]";

await runCommand(usage, async ([command, id, ...others]) => {
  const config = readConfig(process.env);
  if (others.length > 0 || (id !== undefined) !== (command === "retry")) wrongUsage();
  if (command === undefined) await asOwner(config, printCounts);
  else if (command === "failed") await asOwner(config, printFailures);
  else if (command === "retry" && id) await asOwner(config, (client) => retry(client, id));
  else if (command === "run") await withServiceUrl(config, (url) => runUntilStopped(url, config));
  else wrongUsage();
});

async function printCounts(client: Client): Promise<void> {
  const { rows } = await client.query("select * from private.job_counts()");
  if (rows.length === 0) console.log("There are no jobs.");
  else console.table(rows);
  const ordered = "select count(*)::integer as count from private.new_events";
  const [events] = (await client.query<{ count: number }>(ordered)).rows;
  console.log(`${events?.count} events wait for their position.`);
}

async function printFailures(client: Client): Promise<void> {
  const { rows } = await client.query(`
    select j.id, j.lane, j.key, j.failures, j.failure,
           case when j.ended_at is null then j.run_at end as next_attempt, j.ended_at as given_up_at
      from private.jobs j
     where j.failure is not null
     order by coalesce(j.ended_at, j.run_at) desc
     limit 100`);
  if (rows.length === 0) console.log("No job has failed.");
  for (const row of rows) console.log(JSON.stringify(row));
}

async function retry(client: Client, id: string): Promise<void> {
  const { rowCount } = await client.query(
    `update private.jobs j
        set run_at = now(), failures = 0, ended_at = null
      where j.failure is not null
        -- The process that has it would do it at the same time.
        and (j.taken_until is null or j.taken_until < clock_timestamp())
        and $1 in (j.id::text, 'all')`,
    [id],
  );
  if (!rowCount)
    throw new OperatorError(`No job that failed, and is not being tried, has the id ${id}`);
  console.log(`${rowCount} jobs are due again.`);
}

/** Runs jobs until a signal, for services that run with JOBS=off. */
async function runUntilStopped(url: string, config: Config) {
  const stopped = new Promise<void>(stopAtSignals);
  const logger = createLogger(config.logLevel);
  const pool = createPool(url, logger, { ...poolOptions(config, logger), max: 4 });
  const jobs = startKnownJobs({
    pool,
    logger,
    mailer: await mailerOf(config),
    pushContact: config.pushContact,
    isDevelopment: isDevelopment(config),
  });
  await stopped;
  await jobs.stop();
  await pool.end();
}
