import type { Pool } from "pg";
import type { Logger } from "../log/logger.ts";
import type { Mailer } from "../mail/mailer.ts";
import { mailJob, remindersJob } from "./mail.ts";
import { patternsJob } from "./patterns.ts";
import { pruningJob } from "./pruning.ts";
import { announcePushes, pushJob } from "./push.ts";
import { type JobKinds, type JobRunner, startJobs } from "./runner.ts";
import { statisticsJob } from "./statistics.ts";
import { webhooksJob } from "./webhooks.ts";

export interface JobParts {
  readonly pool: Pool;
  readonly logger: Logger;
  /** Undefined if no mails are sent. */
  readonly mailer: Mailer | undefined;
  /** Whom push services write to. Undefined if no pushes are sent. */
  readonly pushContact?: string | undefined;
  /** Whether webhooks may lead to this machine. This is only for services that sign in anybody. */
  readonly isDevelopment: boolean;
}

/** The jobs that a process with these parts can do. A job's kind is the first word of its lane. */
export const jobKinds = (parts: JobParts): JobKinds => {
  const { pool, logger, mailer, pushContact, isDevelopment } = parts;
  const sending = { allowsLoopback: isDevelopment };
  return {
    patterns: patternsJob(pool, logger),
    // After a standstill of days, pruning is due before the reminders and would drop what waits.
    pruning: pruningJob(pool, logger, announcerOf(parts)),
    statistics: statisticsJob(pool),
    webhook: webhooksJob(pool, logger, sending),
    ...(mailer && { mail: mailJob(pool, mailer), reminders: remindersJob(pool, "mail") }),
    ...(pushContact && {
      push: pushJob(pool, pushContact, sending),
      pushreminders: remindersJob(pool, "push"),
    }),
  };
};

/** Runs all jobs that these parts can do. */
export const startKnownJobs = (parts: JobParts): JobRunner =>
  startJobs({ ...parts, kinds: jobKinds(parts), announce: announcerOf(parts) });

/** Tells the database what this process sends. */
const announcerOf =
  ({ pool, mailer, pushContact }: JobParts) =>
  async (): Promise<void> => {
    if (mailer) await pool.query("select private.use_mail()");
    if (pushContact) await announcePushes(pool);
  };
