import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "../errors/operator-error.ts";
import { projectFolder } from "../project-folder.ts";
import type { Migration } from "./history.ts";

/** The migrations that a release has brought to others, each with its checksum, as `sha256sum` writes it. */
const FILE = "migrations/released.sha256";

/** @returns the checksum of each released migration, by its path in the project */
export async function releasedChecksums(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(projectFolder, FILE), "utf8");
  const lines = text.matchAll(/^(?<checksum>[0-9a-f]{64}) {2}(?<file>.+)$/gm);
  return new Map(Array.from(lines, ({ groups }) => [groups?.file ?? "", groups?.checksum ?? ""]));
}

/** @throws OperatorError where a migration of a release is missing, or is not what was released */
export async function refuseChanged(migrations: readonly Migration[]): Promise<void> {
  const texts = new Map(migrations.map(({ file, text }) => [file, text]));
  for (const [file, checksum] of await releasedChecksums()) {
    if (hash("sha256", texts.get(file) ?? "") === checksum) continue;
    throw new OperatorError(
      `${file} is part of a release, and databases have run it: take it from git again, and write a new migration`,
    );
  }
}
