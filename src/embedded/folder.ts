/** What may be in DATA_DIR before something is made in it or started from it. */
import { constants, existsSync } from "node:fs";
import { access, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "../errors/operator-error.ts";

const refuse = (why: string, cause?: unknown): never => {
  throw new OperatorError(`DATA_DIR: ${why}`, { cause });
};
const refuseFailure = (cause: Error): never => refuse(cause.message, cause);

/** Makes the folder if it is missing. */
export async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause) =>
    cause.code === "EEXIST" ? refuse(`${folder} is a file; name a folder`) : refuseFailure(cause),
  );
  await access(folder, constants.W_OK).catch(refuseFailure);
  if (existsSync(join(folder, "PG_VERSION")))
    refuse(`${folder} is a data folder of another PostgreSQL; name another folder`);
}

/** Without these files PostgreSQL does not start, or nobody can log in. */
const ESSENTIAL = ["password", "data/PG_VERSION", "data/global/pg_control"];

/**
 * Whether the folder has a cluster. An empty folder is none.
 * @throws OperatorError if it is not complete, or of another major version. The message says what to
 *   do; nothing is removed, because it may be somebody's data.
 */
export async function hasUsableCluster(cluster: string, major: string): Promise<boolean> {
  if (!existsSync(cluster)) return false;
  if ((await readdir(cluster).catch(refuseFailure)).length === 0) return false;
  const missing = ESSENTIAL.find((file) => !existsSync(join(cluster, file)));
  if (missing !== undefined)
    refuse(
      `${cluster} is not complete, ${missing} is missing: restore it from a backup, or move it away to start with an empty one`,
    );
  const version = (
    await readFile(join(cluster, "data/PG_VERSION"), "utf8").catch(refuseFailure)
  ).trim();
  if (version !== major)
    refuse(
      `${cluster} is of PostgreSQL ${version}, and this is PostgreSQL ${major}: docs/upgrades.md says how to upgrade it`,
    );
  return true;
}

/** Removes what a start left behind that was killed before the end of initdb. */
export async function removeUnfinished(unfinished: string): Promise<void> {
  const names = existsSync(unfinished) ? await readdir(unfinished).catch(refuseFailure) : [];
  // The password is written first.
  if (names.length > 0 && !names.includes("password"))
    refuse(`${unfinished} holds files of others; move it away`);
  await rm(unfinished, { recursive: true, force: true, maxRetries: 5 });
}
