import type { Pool } from "pg";
import type { Config } from "../config/config.ts";
import { type MailRow, mailOf } from "../mail/letter.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { Job, JobKind } from "./runner.ts";

const GET = "select * from private.get_mail($1)";

/**
 * The mailer for the settings, or undefined without mail settings. Its code is loaded only here, so
 * that a service without mails has none of it in memory.
 */
export async function mailerOf({ mail, basePath }: Pick<Config, "mail" | "basePath">) {
  if (!mail) return undefined;
  const { smtpMailer } = await import("../mail/smtp.ts");
  return smtpMailer(mail, basePath);
}

/** Sends a mail. Its content is read at this moment, and there may be nothing left to say. */
export const mailJob = (pool: Pool, mailer: Mailer): JobKind => ({
  // If a process is killed, another takes the mail after twice this time: within a minute.
  seconds: 25,
  atOnce: 2,
  async attempt({ id, data }: Job, signal) {
    const { rows } = await pool.query<MailRow>(GET, [id]);
    const [row] = rows;
    if (!row) return {};
    const mail = mailOf({ id, kind: String(data.kind) }, row, mailer);
    const { refusal } = await mailer.send(mail, signal);
    return refusal === undefined ? {} : { failure: refusal };
  },
});

const MINUTE = 60;

/** Adds the mails, or the pushes, that are due by now. */
export const remindersJob = (pool: Pool, channel: "mail" | "push"): JobKind => ({
  seconds: 20,
  atOnce: 1,
  async attempt() {
    await pool.query("select private.add_due_mails($1)", [channel]);
    return { again: MINUTE };
  },
});
