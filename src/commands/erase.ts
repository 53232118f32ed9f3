/** `npm run erase -- <id>`: erases a person's name, address and phone number from the database. */
import { readConfig } from "../config/config.ts";
import { withClient } from "../database/client.ts";
import { withOwnerUrl } from "../embedded/database.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { isUuid } from "../formats.ts";
import { onlyArgument, runCommand } from "./run-command.ts";

await runCommand("npm run erase -- <id>", async (args) => {
  const id = onlyArgument(args);
  if (!isUuid(id)) throw new OperatorError(`Nobody has registered with the id ${id}`);
  await withOwnerUrl(readConfig(process.env), (ownerUrl) =>
    withClient(ownerUrl, (client) => client.query("select private.erase_person($1)", [id])),
  );
  console.log(`The personal data of ${id} is erased.`);
});
