import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { projectFolder } from "../../src/project-folder.ts";
import { type Building, openBuilding } from "../support/building.ts";
import { freePort } from "../support/free-port.ts";
import { scrape } from "../support/metrics.ts";
import { type Program, startProgram } from "../support/program.ts";

let building: Building;
let program: Program;
let port: number;
beforeAll(async () => {
  building = await openBuilding();
  port = await freePort();
  program = await startProgram(building, { ADMIN_PORT: String(port) });
});
afterAll(async () => {
  await program.stop();
  await building.close();
});

/** The metrics that a text of the documentation names. */
async function namedIn(file: string): Promise<readonly string[]> {
  const text = await readFile(join(projectFolder, file), "utf8");
  const names = text.match(/\b(?:parking|http|nodejs|process)_[a-z0-9]+(?:_[a-z0-9]+)*\b/g) ?? [];
  return [...new Set(names)].filter((name) => !roles.has(name));
}

const roles = new Set(["parking_api", "parking_owner", "parking_reporter"]);

it.each(["docs/deploy/alerts.yml", "docs/operations.md"])(
  "every metric in %s is one that the service has",
  async (file) => {
    // Some exist only once something was counted.
    const person = await building.resident();
    await program.ask(person, "GET", "/dashboard");
    await program.ask(person, "GET", "/nowhere");
    const { samples } = await scrape(port);
    const served = new Set(samples.map(({ name }) => name));
    const named = await namedIn(file);

    expect(named.length).toBeGreaterThan(8);
    const missing = named.filter((name) => !served.has(name) && !served.has(`${name}_bucket`));
    expect(missing).toEqual([]);
  },
);
