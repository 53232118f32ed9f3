import type { Pool } from "pg";
import type { Logger } from "../log/logger.ts";
import { patternsJob } from "./patterns.ts";
import { pruningJob } from "./pruning.ts";
import type { JobKinds } from "./runner.ts";

/** What a process with these connections can do. A job's kind is the first word of its lane. */
export const jobKinds = (pool: Pool, logger: Logger): JobKinds => ({
  patterns: patternsJob(pool, logger),
  pruning: pruningJob(pool),
});
