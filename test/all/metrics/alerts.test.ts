import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { projectFolder } from "../../../src/project-folder.ts";
import { type Building, openBuilding } from "../../support/building.ts";
import { freePort } from "../../support/free-port.ts";
import { pathTo } from "../../support/installed.ts";
import { type Program, startProgram } from "../../support/program.ts";

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

const roles = new Set(["parking_api", "parking_owner", "parking_reporter", "parking_analyst"]);

/** Written by the job that makes backups. */
const ofOthers = new Set(["parking_backup_time_seconds"]);

/** Also those that have no value now. */
async function served(): Promise<readonly string[]> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = ""]) => name);
}

const DOCUMENTATION = "docs/operations.md";

it.each(["docs/deploy/alerts.yml", "docs/deploy/dashboard.json", DOCUMENTATION])(
  "every metric in %s is one that the service has",
  async (file) => {
    const named = await namedIn(file);
    const known = new Set(await served());

    expect(named.length).toBeGreaterThan(8);
    const missing = named
      .map((name) => name.replace(/_bucket$/, ""))
      .filter((name) => !known.has(name) && !ofOthers.has(name));
    expect(missing).toEqual([]);
  },
);

it("every metric of the service's own is documented", async () => {
  const own = (await served()).filter((name) => /^(parking|http)_/.test(name));
  const documented = await namedIn(DOCUMENTATION);

  expect(own.length).toBeGreaterThan(15);
  expect(own.filter((name) => !documented.includes(name))).toEqual([]);
});

it("every alert has its own name, and every alert and every panel an expression and what it is about", async () => {
  const alerts = await readFile(join(projectFolder, "docs/deploy/alerts.yml"), "utf8");
  const { panels } = JSON.parse(
    await readFile(join(projectFolder, "docs/deploy/dashboard.json"), "utf8"),
  );

  const each = alerts.split(/^ {6}- alert: /m).slice(1);
  expect(each.length).toBeGreaterThan(20);
  const names = each.map((alert) => alert.split("\n")[0]);
  expect(new Set(names).size).toBe(names.length);
  for (const alert of each) {
    expect(alert).toMatch(/^\w+\n.*expr: .*severity: (page|ticket).*summary: "/s);
  }
  for (const { type, title, targets } of panels) {
    expect(title).toMatch(/\w/);
    if (type !== "row") expect(targets[0].expr).toMatch(/\w/);
  }
});

const PROMTOOL = pathTo("promtool");
if (PROMTOOL === undefined)
  console.warn("The alerts are not run: promtool is in Debian's prometheus");
const itWithPromtool = PROMTOOL === undefined ? it.skip : it;
const promtool = (cwd: string, ...args: readonly string[]) =>
  promisify(execFile)(PROMTOOL ?? "", args, { cwd });

itWithPromtool("the alerts fire when they should, and not before", async () => {
  const { stdout } = await promtool(import.meta.dirname, "test", "rules", "alerts.rules-test.yml");
  expect(stdout).toContain("SUCCESS");
});

itWithPromtool(
  "the documented Prometheus reads them, and the time of the last backup",
  async () => {
    const [, config = ""] =
      /^cat > \/etc\/prometheus\/prometheus.yml <<END\n(.*?)^END$/ms.exec(
        await readFile(join(projectFolder, DOCUMENTATION), "utf8"),
      ) ?? [];
    const folder = await mkdtemp(join(tmpdir(), "prometheus-"));
    await writeFile(join(folder, "prometheus.yml"), config);
    const alerts = join(projectFolder, "docs/deploy/alerts.yml");
    await copyFile(alerts, join(folder, "parking-alerts.yml"));
    const { stdout } = await promtool(folder, "check", "config", "prometheus.yml");
    await rm(folder, { recursive: true });
    expect(stdout).toMatch(/SUCCESS: \d+ rules found/);
    // The node exporter's port: it serves what the job that makes backups has written.
    expect(config).toContain('"127.0.0.1:9100"');
  },
);
