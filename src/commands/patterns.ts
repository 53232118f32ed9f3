/** `npm run patterns`: publishes the windows of patterns for the days that have come near. For cron. */
import { type Client, DatabaseError } from "pg";
import { readConfig } from "../config/config.ts";
import { withClient } from "../database/client.ts";
import { withServiceUrl } from "../embedded/database.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { runCommand, wrongUsage } from "./run-command.ts";

interface DuePattern {
  readonly id: string;
  readonly owner_id: string;
}

await runCommand("npm run patterns", async (args) => {
  if (args.length > 0) wrongUsage();
  // As the service, not as the owner of the database, whom limits and policies do not bind.
  await withServiceUrl(readConfig(process.env), (url) => withClient(url, publishDue));
});

/** Each pattern in a transaction of its own: what one waits for or fails at does not hold up others. */
async function publishDue(client: Client): Promise<void> {
  const due = await client.query<DuePattern>("select id, owner_id from private.due_patterns()");
  const failures: DatabaseError[] = [];
  let published = 0;
  for (const { id, owner_id } of due.rows) {
    try {
      const sql = "select private.extend_pattern($1, $2) as published";
      const { rows } = await client.query<{ published: number }>(sql, [id, owner_id]);
      published += rows[0]?.published ?? 0;
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.severity !== "ERROR") throw error;
      failures.push(error);
    }
  }
  console.log(
    `${published} windows of ${due.rows.length - failures.length} patterns are published.`,
  );
  const [first] = failures;
  if (first)
    throw new OperatorError(
      `${failures.length} patterns could not be published, so run this again: ${first.message}`,
      { cause: first },
    );
}
