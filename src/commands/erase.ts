/** `npm run erase -- <id>`: erases a person's name, address and phone number from the database. */
import { readConfig } from "../config.ts";
import { withClient } from "../database/client.ts";
import { withOwnerUrl } from "../embedded/database.ts";
import { isUuid } from "../formats.ts";
import { runCommand } from "./run-command.ts";

await runCommand("npm run erase -- <id>", async ([id]) => {
  if (!isUuid(id)) throw new Error(`Nobody has registered with the id ${id}`);
  await withOwnerUrl(readConfig(process.env), (ownerUrl) =>
    withClient(ownerUrl, (client) => client.query("select private.erase_person($1)", [id])),
  );
  console.log(`The personal data of ${id} is erased.`);
});
