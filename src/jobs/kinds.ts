import type { Pool } from "pg";
import type { Logger } from "../log/logger.ts";
import type { Mailer } from "../mail/mailer.ts";
import { mailJob, remindersJob } from "./mail.ts";
import { patternsJob } from "./patterns.ts";
import { pruningJob } from "./pruning.ts";
import { type JobKinds, type JobRunner, startJobs } from "./runner.ts";
import { statisticsJob } from "./statistics.ts";
import { webhooksJob } from "./webhooks.ts";

export interface JobParts {
  readonly pool: Pool;
  readonly logger: Logger;
  /** Undefined if no mails are sent. */
  readonly mailer: Mailer | undefined;
  /** Whether webhooks may lead to this machine. This is only for services that sign in anybody. */
  readonly isDevelopment: boolean;
}

/** The jobs that a process with these parts can do. A job's kind is the first word of its lane. */
export const jobKinds = ({ pool, logger, mailer, isDevelopment }: JobParts): JobKinds => ({
  patterns: patternsJob(pool, logger),
  // After a standstill of days, pruning is due before the reminders and would drop waiting mails.
  pruning: pruningJob(pool, logger, mailer && announceMailer(pool)),
  statistics: statisticsJob(pool),
  webhook: webhooksJob(pool, logger, { allowsLoopback: isDevelopment }),
  ...(mailer && { mail: mailJob(pool, mailer), reminders: remindersJob(pool) }),
});

/** Runs all jobs that these parts can do. */
export function startKnownJobs(parts: JobParts): JobRunner {
  const { pool, mailer } = parts;
  return startJobs({
    ...parts,
    kinds: jobKinds(parts),
    ...(mailer && { announce: announceMailer(pool) }),
  });
}

/** Tells the database that a process sends mails. */
const announceMailer = (pool: Pool) => () => pool.query("select private.use_mail()");
