/**
 * `npm run building -- create <name> | list | migrate`: one database for each building, and many
 * buildings in one cluster. docs/buildings.md shows how to use it.
 */
import { parseArgs } from "node:util";
import { type BuildingDatabase, describeBuilding, findBuildings } from "../buildings/building.ts";
import { createBuilding } from "../buildings/create.ts";
import { type MigrationResult, rollOut } from "../buildings/rollout.ts";
import { readConfig } from "../config/config.ts";
import { withClient } from "../database/client.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { reasonOf } from "../errors/reason.ts";
import { onlyArgument, runCommand, wrongUsage } from "./run-command.ts";

const USAGE =
  "npm run building -- create <name> [--empty] | list | migrate [--at-once <number, 4 unless given>] [<name> …]";

/** A migration uses two or three connections at a time. */
const AT_ONCE = 4;

await runCommand(USAGE, async ([command, ...args]) => {
  const { clusterDatabaseUrl } = readConfig(process.env);
  if (clusterDatabaseUrl === undefined) {
    throw new OperatorError(
      "CLUSTER_DATABASE_URL: is required, to log in as a role that may create databases and roles",
    );
  }
  if (command === "create") return create(clusterDatabaseUrl, args);
  if (command === "list" && args.length === 0) return list(clusterDatabaseUrl);
  if (command === "migrate") return migrate(clusterDatabaseUrl, args);
  wrongUsage();
});

/** Prints only the settings to standard output, so that they can be saved as a file of settings. */
async function create(clusterUrl: string, args: readonly string[]): Promise<void> {
  const options = { empty: { type: "boolean", default: false } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const name = onlyArgument(positionals);
  const warn = (message: string) => console.error(`Warning: ${message}`);
  const urls = await createBuilding(clusterUrl, { name, isEmpty: values.empty, warn });
  console.log(`# for the service of ${name}\nDATABASE_URL=${urls.api}`);
  console.log(
    `# for npm run admin, erase and check:drift; not for the service\nOWNER_DATABASE_URL=${urls.owner}`,
  );
  console.error(`The building ${name} is ready.`);
}

async function list(clusterUrl: string): Promise<void> {
  const buildings = await withClient(clusterUrl, findBuildings);
  const lines = new Map<BuildingDatabase, readonly string[]>();
  const rest = buildings.values();
  const describeRest = async (): Promise<void> => {
    for (const building of rest) {
      const { name, database } = building;
      try {
        const { version, people, size } = await describeBuilding(clusterUrl, building);
        lines.set(building, [name, database, version, String(people), size]);
      } catch (error) {
        lines.set(building, [name, database, reasonOf(error)]);
        process.exitCode = 1;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, describeRest));
  const heading = ["building", "database", "version", "people", "size"];
  printColumns([heading, ...buildings.map((building) => lines.get(building) ?? [])]);
}

function printColumns(rows: readonly (readonly string[])[]): void {
  const [heading = []] = rows;
  const widths = heading.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  for (const row of rows) {
    console.log(
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}

async function migrate(clusterUrl: string, args: readonly string[]): Promise<void> {
  const options = { "at-once": { type: "string", default: String(AT_ONCE) } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (!/^[1-9]\d?$/.test(values["at-once"])) wrongUsage();
  const buildings = chosen(await withClient(clusterUrl, findBuildings), positionals);

  const counts = { migrated: 0, "up to date": 0, failed: 0 };
  await rollOut(clusterUrl, buildings, Number(values["at-once"]), ({ name }, result) => {
    counts[result.kind] += 1;
    if (result.kind !== "up to date") console.log(`${name}: ${described(result)}`);
  });
  const { migrated, failed } = counts;
  console.log(
    `${counted(buildings.length)}: ${migrated} migrated, ${counts["up to date"]} up to date, ${failed} failed`,
  );
  if (failed > 0) process.exitCode = 1;
}

function described(result: MigrationResult): string {
  return result.kind === "failed" ? `failed: ${result.reason}` : result.kind;
}

/** All buildings, or those with the given names. */
function chosen(
  buildings: readonly BuildingDatabase[],
  names: readonly string[],
): readonly BuildingDatabase[] {
  const unknown = names.filter((name) => !buildings.some((building) => building.name === name));
  if (unknown.length > 0) throw new OperatorError(`There is no building ${unknown.join(", ")}`);
  return names.length === 0 ? buildings : buildings.filter(({ name }) => names.includes(name));
}

function counted(buildings: number): string {
  return `${buildings} building${buildings === 1 ? "" : "s"}`;
}
