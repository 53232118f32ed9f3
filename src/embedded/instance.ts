import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { types } from "node:util";
import { OperatorError } from "../errors/operator-error.ts";
import { reasonOf } from "../errors/reason.ts";

const SQLITE_BUSY = 5;

/**
 * Makes this process the folder's only user until it ends, however it ends. Node has no flock, but
 * SQLite has: the kernel frees an exclusive transaction's lock with the process that holds it, so
 * there is no stale lock to assess and no reused process number to mistake for its owner.
 */
export function claim(folder: string): Disposable {
  const lock = new DatabaseSync(lockOf(folder), { timeout: 200 });
  if (permits(folder, lock, "begin exclusive")) return lock;
  lock.close();
  throw new OperatorError(
    `Another instance (process ${readInstance(folder).pid}) is using ${folder}`,
  );
}

export function isClaimed(folder: string): boolean {
  if (!existsSync(lockOf(folder))) return false;
  using lock = new DatabaseSync(lockOf(folder), { readOnly: true });
  return !permits(folder, lock, "select * from sqlite_schema");
}

/**
 * Whether the lock lets a statement pass, or another's exclusive transaction forbids it.
 * @throws OperatorError where it does neither, as on a full disk
 */
function permits(folder: string, lock: DatabaseSync, statement: string): boolean {
  try {
    lock.exec(statement);
    return true;
  } catch (cause) {
    if (types.isNativeError(cause) && "errcode" in cause && cause.errcode === SQLITE_BUSY) {
      return false;
    }
    lock.close();
    throw new OperatorError(`DATA_DIR: ${lockOf(folder)} cannot be used: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

/** The process that claims the folder, and where its server listens once it is up. */
interface Instance {
  readonly pid: number;
  readonly port?: number;
}

/** Renamed into place, for another process may be reading. */
export function recordInstance(folder: string, instance: Instance): void {
  const file = instanceOf(folder);
  writeFileSync(`${file}.new`, JSON.stringify(instance), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function readInstance(folder: string): Instance {
  return JSON.parse(readFileSync(instanceOf(folder), "utf8"));
}

const lockOf = (folder: string): string => join(folder, "instance.lock");
const instanceOf = (folder: string): string => join(folder, "instance.json");
