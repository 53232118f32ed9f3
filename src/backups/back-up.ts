import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, rename } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { withClient } from "../database/client.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../embedded/cluster.ts";
import { EMBEDDED_DATABASE } from "../embedded/database.ts";
import { SUPERUSER } from "../embedded/passwords.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { copyCluster } from "./copy-cluster.ts";
import { type Counts, verifyDatabase } from "./verify.ts";

/**
 * Copies the embedded database, while it runs, into a new folder that can itself be a DATA_DIR.
 * Then it starts the copy and reads all of it, because a backup that nobody has restored is not a
 * backup. Until then the copy has another name, and it keeps that name if this fails.
 */
export async function backUp(
  postgres: EmbeddedPostgres,
  dataDir: string,
  folder: string,
): Promise<Counts> {
  await refuseUsed(folder);
  const unfinished = `${resolve(folder)}.unfinished`;
  await mkdir(dirname(resolve(folder)), { recursive: true });
  await mkdir(unfinished, { mode: 0o700 }).catch(refuseOther);
  const [from, to] = [join(dataDir, "cluster"), join(unfinished, "cluster")];
  await mkdir(to, { recursive: true, mode: 0o700 });
  await copyFile(join(from, "password"), join(to, "password"));
  await copyCluster(postgres.url(SUPERUSER, "postgres"), join(from, "data"), join(to, "data"));

  const copy = await startEmbeddedPostgres({ dataDir: unfinished });
  try {
    const counts = await withClient(copy.url(SUPERUSER, EMBEDDED_DATABASE), verifyDatabase);
    await copy.stop();
    await rename(unfinished, folder);
    return counts;
  } finally {
    await copy.stop();
  }
}

/** Another process may be writing the copy, or somebody may need what a killed process left. */
function refuseOther(cause: NodeJS.ErrnoException): never {
  if (cause.code !== "EEXIST") throw cause;
  const what = `${cause.path} is there, of a backup that runs or did not end`;
  throw new OperatorError(`${what}: remove it, or take another name`, { cause });
}

async function refuseUsed(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  if ((await readdir(folder)).length > 0) {
    throw new OperatorError(`${folder} is not empty: a backup is a new folder`);
  }
}
