/** What may be in DATA_DIR before something is made in it or started from it. */
import { constants, existsSync } from "node:fs";
import { access, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "../errors/operator-error.ts";

/** Makes the folder where it is missing. */
export async function prepareFolder(folder: string): Promise<void> {
  if ((await stat(folder).catch(() => undefined))?.isFile()) {
    throw new OperatorError(`DATA_DIR: ${folder} is a file; name a folder`);
  }
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(refuse);
  await access(folder, constants.W_OK).catch(refuse);
  if (existsSync(join(folder, "PG_VERSION"))) {
    throw new OperatorError(
      `DATA_DIR: ${folder} is a data folder of another PostgreSQL; name another folder`,
    );
  }
}

function refuse(cause: Error): never {
  throw new OperatorError(`DATA_DIR: ${cause.message}`, { cause });
}

/** Whether there is a cluster, complete or not. An empty folder is none. */
export async function holdsCluster(folder: string): Promise<boolean> {
  const names = await readdir(join(folder, "cluster")).catch((error) =>
    error.code === "ENOENT" ? [] : refuse(error),
  );
  return names.length > 0;
}

/** The files without which PostgreSQL does not start, or nobody can log in. */
const ESSENTIAL = ["password", "data/PG_VERSION", "data/global/pg_control"];

/**
 * Finds a copy that is not complete, and data of another major version.
 * @throws OperatorError that says what to do; nothing is removed, for it may be somebody's data
 */
export async function checkCluster(folder: string, major: string): Promise<void> {
  const cluster = join(folder, "cluster");
  const missing = ESSENTIAL.find((file) => !existsSync(join(cluster, file)));
  if (missing !== undefined) {
    throw new OperatorError(
      `DATA_DIR: ${cluster} is not complete, ${missing} is missing: restore it from a backup, or move it away to start with an empty one`,
    );
  }
  const version = (await readFile(join(cluster, "data/PG_VERSION"), "utf8").catch(refuse)).trim();
  if (version !== major) {
    throw new OperatorError(
      `DATA_DIR: ${cluster} is of PostgreSQL ${version}, and this is PostgreSQL ${major}: docs/upgrades.md says how to upgrade it`,
    );
  }
}

/** Removes what a start left behind that did not live to the end of initdb. Returns its place. */
export async function removeUnfinished(folder: string): Promise<string> {
  const unfinished = join(folder, "cluster.new");
  if (existsSync(unfinished) && !(await isOwn(unfinished))) {
    throw new OperatorError(`DATA_DIR: ${unfinished} holds files of others; move it away`);
  }
  await rm(unfinished, { recursive: true, force: true, maxRetries: 5 });
  return unfinished;
}

/** The folder for the data is made before the password, and filled after it. */
async function isOwn(unfinished: string): Promise<boolean> {
  const names = (await readdir(unfinished).catch(refuse)).toSorted().join();
  if (names === "data") return (await readdir(join(unfinished, "data")).catch(refuse)).length === 0;
  return names === "" || names === "data,password";
}
