/** The jobs of a service without the rest of it: sends to webhooks until it is killed. Arguments: the database, and how long an attempt may take. */

import { createPool } from "../../src/database/pool.ts";
import { startJobs } from "../../src/jobs/runner.ts";
import { webhooksJob } from "../../src/jobs/webhooks.ts";
import { createLogger } from "../../src/log/logger.ts";

const [databaseUrl = "", seconds] = process.argv.slice(2);
const logger = createLogger("silent");
const pool = createPool(databaseUrl, logger, { max: 2 });
const webhook = webhooksJob(pool, logger, { allowsLoopback: true }, Number(seconds));
startJobs({ pool, logger, kinds: { webhook } });
