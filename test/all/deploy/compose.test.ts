import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { readServiceConfig } from "../../../src/config/config.ts";
import { describeSettings } from "../../../src/config/settings.ts";
import { projectFolder } from "../../../src/project-folder.ts";
import { pathTo } from "../../support/installed.ts";
import { blocksOf } from "../docs/blocks.ts";

const read = (file: string): string =>
  readFileSync(join(projectFolder, "docs/deploy", file), "utf8");
const settings = describeSettings().map(({ name }) => name);

const namesIn = (file: string) =>
  [...read(file).matchAll(/^([A-Z_]+)=/gm)].map(([, name = ""]) => name);
/** What Compose reads from .env. */
const wantedBy = (file: string) =>
  [...read(file).matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name);

describe.each([
  ["compose.yaml", ["./backup.sh", "data", "backups"]],
  ["compose-server.yaml", ["./backup.sh", "backups", "./prometheus.yml"]],
])("%s", (file, mounts) => {
  it("asks for what its example has, and for nothing else", () => {
    const example = file.replace(".yaml", ".env.example");
    expect(new Set(namesIn(example))).toEqual(new Set(wantedBy(file)));
  });

  it("mounts files that exist, and volumes that it declares", () => {
    const compose = read(file);
    const mounted = [...compose.matchAll(/[-[] ?"?([\w./-]+):\/[\w./-]+/g)].map(
      ([, it = ""]) => it,
    );
    const volumes = compose.slice(compose.indexOf("\nvolumes:"));
    expect(mounted).toEqual(expect.arrayContaining(mounts));
    const isThere = (it: string) =>
      it.startsWith(".")
        ? existsSync(join(projectFolder, "docs/deploy", it))
        : volumes.includes(`\n  ${it}:`);
    expect(mounted.filter((it) => !isThere(it))).toEqual([]);
  });

  it("makes a backup each day, and tries one that fails again after ten minutes", () => {
    const [, loop = ""] = /command: \[sh, -c, "(while .*)"\]/.exec(read(file)) ?? [];
    expect(loop).toMatch(
      /sh \/backup\.sh \/backups (pg_dump -Fc -f|node src\/commands\/backup\.ts) /,
    );
    const pauseAfter = (exitCode: number) => {
      const programs = `sh() { return ${exitCode}; }; sleep() { echo $1; exit; };`;
      return spawnSync("sh", ["-c", programs + loop], { encoding: "utf8" }).stdout.trim();
    };
    expect([pauseAfter(0), pauseAfter(1)]).toEqual(["86400", "600"]);
  });
});

describe("compose.yaml", () => {
  it("asks for a name, a domain and a mail server", () => {
    expect(new Set(wantedBy("compose.yaml"))).toEqual(new Set(["SITE", "SMTP_URL", "MAIL_FROM"]));
    const wanted = wantedBy("compose.yaml").map((name) => `\\$\\{${name}:\\?`);
    for (const it of wanted) expect(read("compose.yaml")).toMatch(new RegExp(it));
  });

  it("is restored from its latest backup by the commands of docs/small-house.md", () => {
    const house = mkdtempSync(join(tmpdir(), "house-"));
    try {
      const folders = ["data/cluster", "backups/2026-11-20T030000", "backups/2026-11-21T030000"];
      for (const it of [...folders, "backups/unfinished"])
        mkdirSync(join(house, it.replace(/(20.*)/, "$1/cluster")), { recursive: true });
      writeFileSync(join(house, "data/identity-secret"), "old");
      writeFileSync(join(house, "data/cluster/old"), "");
      writeFileSync(join(house, "backups/2026-11-21T030000/cluster/restored"), "");
      const block = blocksOf("docs/small-house.md").find(({ text }) =>
        /-v parking_data/.test(text),
      );
      const commands = (block?.text ?? "").replace("<id>", "1");
      // The script of the container, with its two volumes in the place of this house.
      const docker = `docker() {
        [ "$1" = run ] || { echo "$2 $3"; return; }
        while [ "$1" != parking ]; do shift; done
        echo "run"; sh -c "$(echo "$4" | sed "s#/data#${house}/data#g; s#/backups#${house}/backups#g")"
      }
      `;
      const { stdout, stderr } = spawnSync("sh", ["-ec", docker + commands], { encoding: "utf8" });
      expect([stdout.split("\n"), stderr]).toEqual([
        ["stop parking", "run", "up -d", "exec parking", ""],
        "",
      ]);
      expect(readdirSync(join(house, "data")).sort()).toEqual(["cluster", "cluster.old"]);
      expect(readdirSync(join(house, "data/cluster"))).toEqual(["restored"]);
      for (const [, volume = ""] of commands.matchAll(/-v parking_(\w+):/g))
        expect(read("compose.yaml")).toMatch(new RegExp(`^name: parking$[^]*^  ${volume}:$`, "m"));
    } finally {
      rmSync(house, { recursive: true });
    }
  });

  it("has settings that a service accepts in production", () => {
    const [, block = ""] = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(read("compose.yaml")) ?? [];
    const values: Record<string, string> = {
      SITE: "parking.example.org",
      SMTP_URL: "smtp://mail.example.org",
      MAIL_FROM: "Lindenhof 5 <parking@example.org>",
    };
    const environment = block
      .replaceAll(/\$\{(\w+)[^}]*\}/g, (_, name: string) => values[name] ?? "")
      .matchAll(/^ +(\w+): "?([^"\n]*)"?$/gm);
    const its = Object.fromEntries(Array.from(environment, ([, name, value]) => [name, value]));
    const config = readServiceConfig({ NODE_ENV: "production", HOST: "0.0.0.0", ...its });
    expect(config).toMatchObject({
      signIn: "mail",
      dataDir: "/data",
      trustProxy: true,
      mail: { publicUrl: "https://parking.example.org", from: { name: "Lindenhof 5" } },
    });
  });
});

describe("compose-server.yaml", () => {
  it("takes every setting that it does not set itself from parking.env", () => {
    const compose = read("compose-server.yaml");
    const service = compose.slice(compose.indexOf("x-parking:"), compose.indexOf("\nservices:"));
    expect(service).toContain("\n  env_file: parking.env\n");

    // Compose reads .env for what stands in this file, and passes nothing else of it on.
    const fromOtherFile = wantedBy("compose-server.yaml");
    expect(settings.filter((name) => fromOtherFile.includes(name))).toEqual([]);
  });

  it("has settings of the service in one of its files only", () => {
    const ofService = namesIn("parking.env.example");
    expect(ofService).toEqual(expect.arrayContaining(["AUTH_ISSUER", "AUTH_AUDIENCE"]));
    expect(ofService.filter((name) => !settings.includes(name))).toEqual([]);
    const ofCompose = namesIn("compose-server.env.example");
    expect(ofCompose.filter((name) => settings.includes(name))).toEqual([]);
  });

  it("lets Prometheus ask each process, and the container that knows the time of the last backup", () => {
    const compose = read("compose-server.yaml");
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
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "backup-sh-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs it with this in the place of what makes a backup, whose name it gets last. */
  const run = (command: string) => {
    const script = join(projectFolder, "docs/deploy/backup.sh");
    const args = [script, folder, "sh", "-c", command, "sh"];
    const { status } = spawnSync("sh", args, { cwd: projectFolder });
    return { status, files: readdirSync(folder).sort() };
  };
  const BACKUP = /^\d{4}-\d\d-\d\dT\d{6}$/;

  it.each(["file", "folder"])("keeps the %s that was made, and says when", (kind) => {
    const made = run(kind === "file" ? 'echo all >"$1"' : 'mkdir "$1"');
    expect(made).toEqual({ status: 0, files: [expect.stringMatching(BACKUP), "parking.prom"] });
  });

  it("runs the command where it was called, so that compose.yaml may name a file of the image", () => {
    expect(run('test -f src/commands/backup.ts && mkdir "$1"').status).toBe(0);
  });

  it("says nothing of a backup that failed, which is not in the way of the next one", () => {
    const failed = run('mkdir "$1" "$1.unfinished"; exit 1');
    expect(failed).toEqual({ status: 1, files: ["unfinished", "unfinished.unfinished"] });
    expect(run('mkdir "$1"').files).toEqual([expect.stringMatching(BACKUP), "parking.prom"]);
  });

  it("keeps two weeks, and what others put there", () => {
    const old = ["2026-11-01T030000", "2026-11-08T030000", "notes"].map((it) => join(folder, it));
    const now = Date.now() / 1_000;
    for (const [index, it] of old.entries()) {
      mkdirSync(it);
      const at = now - (index === 1 ? 13 : 20) * 86_400;
      utimesSync(it, at, at);
    }
    expect(run('mkdir "$1"').files).toEqual([
      "2026-11-08T030000",
      expect.stringMatching(BACKUP),
      "notes",
      "parking.prom",
    ]);
  });
});
