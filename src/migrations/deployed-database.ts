import { withClient } from "../database/client.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { createLogger } from "../log/logger.ts";
import { checkHistory } from "./history.ts";
import { listSchema, readSnapshot, refuseDifference } from "./schema-listing.ts";

/**
 * Compares a database with migrations/schema.sql, for the building of its owner. It needs no other
 * PostgreSQL, so it works where only the service is installed.
 * @throws OperatorError if they differ, or if the database ran other migrations than the
 *   committed ones
 */
export async function checkDeployedDatabase(ownerUrl: string): Promise<void> {
  const { owner, actual } = await withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ owner: string }>("select current_user as owner");
    return { owner: rows[0]?.owner ?? "", actual: await listSchema(client) };
  });
  const [, building] = /^(.+)_owner$/.exec(owner) ?? [];
  if (building === undefined) {
    const message = `OWNER_DATABASE_URL: logs in as ${owner}, not as parking_owner or <building>_owner`;
    throw new OperatorError(message);
  }
  const [first, ...others] = await checkHistory(ownerUrl, createLogger("warn"));
  if (first !== undefined) {
    const all = others.length === 0 ? `${first} has` : `${first} to ${others.at(-1)} have`;
    throw new OperatorError(`${all} not run: npm run migrate`);
  }
  const committed = await readSnapshot();
  refuseDifference(
    "The database is not what is committed (-: only committed, +: only in the database)",
    building === "parking" ? committed : listingFor(building, committed),
    actual,
  );
}

/**
 * The listing with the login roles of a building, which are members of the former login roles
 * (sql/roles.sql).
 */
function listingFor(building: string, listing: string): string {
  const lines = listing
    .replaceAll("parking_owner", `${building}_owner`)
    .split("\n")
    .flatMap((line) => linesFor(building, line));
  const groups = ["parking_analyst", "parking_api", "parking_reporter"].flatMap((role) => [
    `role ${role} nologin`,
    `comment on role ${role} is 'Logs in nowhere. The logins of the buildings are its members.';`,
  ]);
  // Roles come last, sorted by name.
  const at =
    building < "parking" ? lines.length - 1 : lines.findIndex((it) => it.startsWith("role "));
  return lines.toSpliced(at, 0, ...groups).join("\n");
}

function linesFor(building: string, line: string): readonly string[] {
  const [, kind] = /^role parking_(analyst|api|reporter) /.exec(line) ?? [];
  const own = /^((alter |comment on )?role|grant \w+ on database to) /.test(line)
    ? line.replace(/parking_(analyst|api|reporter)/, `${building}_$1`)
    : line;
  if (kind === undefined) return [own];
  return [own, `grant parking_${kind} to ${building}_${kind} with inherit t, set f, admin f`];
}
