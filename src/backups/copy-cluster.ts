import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { withClient } from "../database/client.ts";

/** Files that belong only to the running server. A server creates them again. */
const LEFT_OUT = /^(postmaster\.(pid|opts)|pg_internal\.init|pgsql_tmp.*)$/;

/** Folders that a server needs, but whose content belongs only to the running server. */
const LEFT_EMPTY = [
  "pg_dynshmem",
  "pg_notify",
  "pg_replslot",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
  "pg_wal",
];

/**
 * Copies the data folder of a running server on this machine: a base backup, as PostgreSQL calls
 * it. A server that is started on the copy first replays the WAL that was written during the copy.
 * @param superuserUrl the URL of any database of the server
 */
export const copyCluster = (
  superuserUrl: string,
  dataFolder: string,
  target: string,
): Promise<void> =>
  withClient(superuserUrl, async (client) => {
    // The slot keeps the WAL that the copy needs. It ends with the connection, like the backup.
    await client.query("select pg_create_physical_replication_slot($1, true, true)", [
      `backup_${process.pid}`,
    ]);
    const { rows: begun } = await client.query<{ file: string }>(
      "select pg_walfile_name(pg_backup_start('npm run backup', fast => true)) as file",
    );
    const isLeftOut = (path: string) =>
      LEFT_OUT.test(basename(path)) || LEFT_EMPTY.includes(dirname(path));
    await copyFolder(dataFolder, target, (path) => !isLeftOut(path));
    const { rows: ended } = await client.query<{ label: string; file: string }>(
      `select labelfile as label, pg_walfile_name(lsn) as file
         from pg_backup_stop(wait_for_archive => false)`,
    );
    const [first, last] = [begun[0]?.file ?? "", ended[0]?.file ?? ""];
    const isNeeded = (name: string) => first <= name && name <= last;
    await copyFolder(join(dataFolder, "pg_wal"), join(target, "pg_wal"), isNeeded);
    await writeFile(join(target, "backup_label"), ended[0]?.label ?? "", { mode: 0o600 });
  });

/** Copies the files that are wanted by their path below `from`. */
async function copyFolder(
  from: string,
  to: string,
  isWanted: (path: string) => boolean,
  folder = "",
): Promise<void> {
  await mkdir(join(to, folder), { recursive: true, mode: 0o700 });
  const entries = readdir(join(from, folder), { withFileTypes: true });
  for (const entry of await unlessGone(entries, [])) {
    const path = join(folder, entry.name);
    if (!isWanted(path)) continue;
    if (entry.isDirectory()) await copyFolder(from, to, isWanted, path);
    else await unlessGone(copyFile(join(from, path), join(to, path)), undefined);
  }
}

/** The server may remove a file during the copy, such as a dropped table's. The WAL records it. */
async function unlessGone<T>(done: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await done;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return otherwise;
    throw error;
  }
}
