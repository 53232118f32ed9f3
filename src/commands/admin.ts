/** `npm run admin -- <email or id>`: makes the first administrator, also beside a running service. */
import { readConfig } from "../config/config.ts";
import { withClient } from "../database/client.ts";
import { withOwnerUrl } from "../embedded/database.ts";
import { onlyArgument, runCommand } from "./run-command.ts";

await runCommand("npm run admin -- <email or id>", async (args) => {
  const emailOrId = onlyArgument(args);
  const [profile] = await withOwnerUrl(readConfig(process.env), (ownerUrl) =>
    withClient(ownerUrl, async (client) => {
      const sql = "select id, email from private.make_administrator($1)";
      return (await client.query<{ id: string; email: string }>(sql, [emailOrId])).rows;
    }),
  );
  console.log(`${profile?.email} (${profile?.id}) is approved and an administrator.`);
});
