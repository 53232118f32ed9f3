/**
 * `npm run erase -- <id>`: erases a person's data from the database, and lists the texts of others
 * that still contain their name.
 */
import { readConfig } from "../config/config.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { isUuid } from "../formats.ts";
import { asOwner } from "./owner.ts";
import { onlyArgument, runCommand } from "./run-command.ts";

interface Mention {
  readonly table: string;
  readonly id: string | null;
  readonly column: string;
  readonly value: string;
}

await runCommand("npm run erase -- <id>", async (args) => {
  const id = onlyArgument(args);
  if (!isUuid(id)) throw new OperatorError(`Nobody has registered with the id ${id}`);
  await asOwner(readConfig(process.env), async (client) => {
    const known = await client.query<{ names: readonly string[] }>(
      "select private.names_of($1) as names",
      [id],
    );
    await client.query("select private.erase_person($1)", [id]);
    console.log(`The personal data of ${id} is erased.`);
    await client.query("analyze"); // the planner's statistics hold values
    const { rows } = await client.query<Mention>("select * from private.mentions($1)", [
      known.rows[0]?.names,
    ]);
    if (rows.length === 0) return;
    console.log("Their name still stands in what others wrote. See to these:");
    for (const { table, id: row, column, value } of rows)
      console.log([table, row, `${column}:`, JSON.stringify(value)].filter(Boolean).join(" "));
  });
});
