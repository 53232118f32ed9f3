/**
 * `npm run admin -- <email or id>`: makes the first administrator, also while a service runs. With
 * SIGN_IN=mail it invites somebody who has not registered.
 */
import { randomUUID } from "node:crypto";
import type { Client } from "pg";
import { type Config, readConfig } from "../config/config.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { reasonOf } from "../errors/reason.ts";
import { isMailbox } from "../formats.ts";
import { mailerOf } from "../jobs/mail.ts";
import { invitationOf, type Letter } from "../mail/letter.ts";
import { asOwner } from "./owner.ts";
import { onlyArgument, runCommand } from "./run-command.ts";

const PATIENCE_MS = 30_000;

await runCommand("npm run admin -- <email or id>", async (args) => {
  const emailOrId = onlyArgument(args);
  const config = readConfig(process.env);
  const { admin, approved } = config.tokens?.groups ?? {};
  if (admin !== undefined)
    throw new OperatorError(
      `AUTH_ADMIN_GROUP: the identity provider decides who administers; put the person into ${admin} there`,
    );
  console.log(
    await asOwner(config, async (client) => {
      const isExpected = config.signIn === "mail" && isMailbox(emailOrId);
      return isExpected && (await expect(client, emailOrId))
        ? invite(client, config, emailOrId)
        : makeAdministrator(client, emailOrId, approved);
    }),
  );
});

async function makeAdministrator(client: Client, emailOrId: string, approvedGroup?: string) {
  const sql = "select id, email from private.make_administrator($1)";
  const { rows } = await client.query<{ id: string; email: string }>(sql, [emailOrId]);
  // The person's next token removes an approval that the provider does not give.
  const role =
    approvedGroup === undefined
      ? "is approved and an administrator"
      : `is an administrator while the identity provider has them in ${approvedGroup}, as AUTH_APPROVED_GROUP asks`;
  return `${rows[0]?.email} (${rows[0]?.id}) ${role}.`;
}

/** False if somebody has registered with the address. */
async function expect(client: Client, address: string): Promise<boolean> {
  const sql = "select identity.expect_administrator($1) as is_expected";
  const { rows } = await client.query<{ is_expected: boolean }>(sql, [address]);
  return rows[0]?.is_expected === true;
}

type OfBuilding = Pick<Letter, "language"> & Letter["building"];

/** Sends the mail at once, so that the operator reads here what the mail server refuses. */
async function invite(client: Client, config: Config, to: string): Promise<string> {
  const mailer = await mailerOf(config);
  if (!mailer) throw new OperatorError("SMTP_URL: is required, to invite the administrator");
  const sql = "select name, time_zone, language from parking.building";
  const { rows } = await client.query<OfBuilding>(sql);
  const { language = "en", ...building } = rows[0] ?? { name: "", time_zone: "UTC" };
  const link = mailer.publicUrl;
  const id = `administrator.${randomUUID()}`;
  const mail = invitationOf({ id, to, language, building, link }, "administrator");
  const { refusal } = await mailer
    .send(mail, AbortSignal.timeout(PATIENCE_MS))
    .catch((error: unknown) => ({ refusal: reasonOf(error) }));
  if (refusal !== undefined) {
    throw new OperatorError(
      `SMTP_URL: no mail was sent, ${refusal}. ${to} becomes an administrator all the same by registering at ${link} within two weeks`,
    );
  }
  return `${to} got a mail, and becomes an administrator by registering at ${link} within two weeks.`;
}
