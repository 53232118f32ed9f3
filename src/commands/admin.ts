/** `npm run admin -- <email or id>`: makes the first administrator, also while a service runs. */
import { readConfig } from "../config/config.ts";
import { withClient } from "../database/client.ts";
import { withOwnerUrl } from "../embedded/database.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { onlyArgument, runCommand } from "./run-command.ts";

await runCommand("npm run admin -- <email or id>", async (args) => {
  const emailOrId = onlyArgument(args);
  const config = readConfig(process.env);
  const { admin, approved } = config.tokens?.groups ?? {};
  if (admin !== undefined)
    throw new OperatorError(
      `AUTH_ADMIN_GROUP: the identity provider decides who administers; put the person into ${admin} there`,
    );
  const [profile] = await withOwnerUrl(config, (ownerUrl) =>
    withClient(ownerUrl, async (client) => {
      const sql = "select id, email from private.make_administrator($1)";
      return (await client.query<{ id: string; email: string }>(sql, [emailOrId])).rows;
    }),
  );
  // The person's next token removes an approval that the provider does not give.
  const role =
    approved === undefined
      ? "is approved and an administrator"
      : `is an administrator while the identity provider has them in ${approved}, as AUTH_APPROVED_GROUP asks`;
  console.log(`${profile?.email} (${profile?.id}) ${role}.`);
});
