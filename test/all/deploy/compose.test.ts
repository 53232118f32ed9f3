import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { describeSettings } from "../../../src/config/settings.ts";
import { projectFolder } from "../../../src/project-folder.ts";
import { pathTo } from "../../support/installed.ts";

const read = (file: string): string =>
  readFileSync(join(projectFolder, "docs/deploy", file), "utf8");
const settings = describeSettings().map(({ name }) => name);

describe("compose.yaml", () => {
  it("takes every setting that it does not set itself from parking.env", () => {
    const compose = read("compose.yaml");
    const service = compose.slice(compose.indexOf("x-parking:"), compose.indexOf("\nservices:"));
    expect(service).toContain("\n  env_file: parking.env\n");

    // Compose reads .env for what stands in compose.yaml, and passes nothing else of it on.
    const fromOtherFile = [...compose.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name);
    expect(settings.filter((name) => fromOtherFile.includes(name))).toEqual([]);
  });

  it("has an example of each file, and settings of the service in one of them only", () => {
    const namesIn = (file: string) =>
      [...read(file).matchAll(/^([A-Z_]+)=/gm)].map(([, name = ""]) => name);
    const ofService = namesIn("parking.env.example");
    expect(ofService).toEqual(expect.arrayContaining(["AUTH_ISSUER", "AUTH_AUDIENCE"]));
    expect(ofService.filter((name) => !settings.includes(name))).toEqual([]);
    expect(namesIn("compose.env.example").filter((name) => settings.includes(name))).toEqual([]);
  });

  it("mounts files that exist, and volumes that it declares", () => {
    const compose = read("compose.yaml");
    const mounted = [...compose.matchAll(/- "?([\w./-]+):\/[\w./-]+/g)].map(([, it = ""]) => it);
    const volumes = compose.slice(compose.indexOf("\nvolumes:"));
    expect(mounted).toEqual(expect.arrayContaining(["./backup.sh", "backups", "./prometheus.yml"]));
    const isThere = (it: string) =>
      it.startsWith(".")
        ? existsSync(join(projectFolder, "docs/deploy", it))
        : volumes.includes(`\n  ${it}:`);
    expect(mounted.filter((it) => !isThere(it))).toEqual([]);
  });

  it("lets Prometheus ask each process, and the container that knows the time of the last backup", () => {
    const compose = read("compose.yaml");
    const targets = [...read("prometheus.yml").matchAll(/"([\w-]+):(\d+)"/g)];
    expect(targets.map(([, name]) => name)).toEqual(["parking1", "parking2", "backup-time"]);
    for (const [, name] of targets) expect(compose).toMatch(new RegExp(`^  ${name}:`, "m"));
    const promtool = pathTo("promtool");
    if (promtool)
      execFileSync(promtool, [
        "check",
        "config",
        join(projectFolder, "docs/deploy/prometheus.yml"),
      ]);
  });
});

describe("backup.sh", () => {
  /** Runs it until its first pause, with this in the place of pg_dump. */
  const run = (dump: string) => {
    const folder = mkdtempSync(join(tmpdir(), "backup-sh-"));
    const programs = mkdtempSync(join(tmpdir(), "backup-sh-programs-"));
    const program = (name: string, text: string) =>
      writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    program("pg_dump", dump);
    program("sleep", "echo $1; kill $PPID");
    const env = { PATH: `${programs}:${process.env.PATH}` };
    const script = join(projectFolder, "docs/deploy/backup.sh");
    const { stdout } = spawnSync("sh", [script], { cwd: folder, env, encoding: "utf8" });
    const files = readdirSync(folder).sort();
    for (const it of [folder, programs]) rmSync(it, { recursive: true });
    return { files, pause: stdout.trim() };
  };

  it("makes a dump of today, says when, and waits a day", () => {
    const { files, pause } = run('echo "$1" >"$3"');
    expect(files).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d\.dump$/), "parking.prom"]);
    expect(pause).toBe("86400");
  });

  it("says nothing of a dump that failed, and tries again after ten minutes", () => {
    expect(run('echo "$1" >"$3"; exit 1')).toEqual({ files: ["unfinished"], pause: "600" });
  });
});
