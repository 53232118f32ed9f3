import "../graphql/mode.ts";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withClient } from "../database/client.ts";
import type { EmbeddedPostgres } from "../embedded/cluster.ts";
import { projectFolder } from "../project-folder.ts";
import { describeRules, describeSchema } from "./describe-database.ts";
import { describeErrors } from "./describe-errors.ts";
import { describeGraphQL } from "./describe-graphql.ts";
import { settingsPage } from "./describe-settings.ts";

/**
 * Writes docs/rules.md and docs/schema.md from the catalogue of a database as the migrations make
 * it, docs/errors.md from the catalogue and the routes, and docs/schema.graphql from the schema that
 * GraphQL has on the database. The settings know themselves what docs/settings.md says.
 */
export async function writeDocs(postgres: EmbeddedPostgres, database: string): Promise<void> {
  const folder = join(projectFolder, "docs");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "settings.md"), settingsPage());
  const ownerUrl = postgres.url("parking_owner", database);
  await withClient(ownerUrl, async (client) => {
    await writeFile(join(folder, "rules.md"), await describeRules(client));
    await writeFile(join(folder, "schema.md"), await describeSchema(client));
    const apiUrl = postgres.url("parking_api", database);
    await writeFile(join(folder, "errors.md"), await describeErrors(apiUrl));
    await writeFile(join(folder, "schema.graphql"), await describeGraphQL(ownerUrl));
  });
}
