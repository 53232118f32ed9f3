/**
 * `npm run docs`: writes docs/rules.md and docs/schema.md from the catalogue of the embedded database,
 * and docs/schema.graphql from what GraphQL makes of it.
 */
import "../graphql/mode.ts";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readConfig } from "../config.ts";
import { withClient } from "../database/client.ts";
import { withOwnerUrl } from "../embedded/database.ts";
import { projectFolder } from "../project-folder.ts";
import { describeRules, describeSchema } from "./describe-database.ts";
import { describeGraphQL } from "./describe-graphql.ts";

const folder = join(projectFolder, "docs");
await mkdir(folder, { recursive: true });
await withOwnerUrl(readConfig(process.env), (ownerUrl) =>
  withClient(ownerUrl, async (client) => {
    await writeFile(join(folder, "rules.md"), await describeRules(client));
    await writeFile(join(folder, "schema.md"), await describeSchema(client));
    await writeFile(join(folder, "schema.graphql"), await describeGraphQL(ownerUrl));
  }),
);
