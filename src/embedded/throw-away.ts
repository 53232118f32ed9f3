import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./cluster.ts";

/** Its data need not survive a crash of the machine. */
const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

const MEMORY = "/dev/shm";
const ROOM_BYTES = 4 * 1_024 ** 3;

/**
 * A PostgreSQL in a temporary folder. Stopping it removes the folder. It is in memory if there is
 * room: on a disk, a copy of a database takes twenty times as long.
 */
export async function startThrowAwayPostgres(
  more: Readonly<Record<string, string>> = {},
): Promise<EmbeddedPostgres> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  const fastest = bavail * bsize < ROOM_BYTES ? tmpdir() : MEMORY;
  const dataDir = await mkdtemp(join(fastest, "parking-"));
  const postgres = await startEmbeddedPostgres({ dataDir, settings: { ...settings, ...more } });
  const stop = async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { ...postgres, stop };
}

/** Starts one for the time that `use` takes. */
export async function withThrowAwayPostgres<T>(
  use: (postgres: EmbeddedPostgres) => Promise<T>,
): Promise<T> {
  const postgres = await startThrowAwayPostgres();
  return use(postgres).finally(postgres.stop);
}
