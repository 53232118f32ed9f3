import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { types } from "node:util";
import { OperatorError } from "../errors/operator-error.ts";
import { reasonOf } from "../errors/reason.ts";

const SQLITE_BUSY = 5;

const lockOf = (folder: string): string => join(folder, "instance.lock");

/**
 * Makes this process the folder's only user until it ends, however it ends. Node has no flock, but
 * SQLite has: the kernel frees an exclusive transaction's lock with the process that holds it, so
 * there is no stale lock to assess and no reused process number to mistake for its owner.
 */
export function claim(folder: string): Disposable {
  const owner = join(folder, "instance.json");
  const lock = new DatabaseSync(lockOf(folder), { timeout: 200 });
  if (permits(folder, lock, "begin exclusive")) {
    // Renamed into place, for another process may be reading.
    writeFileSync(`${owner}.new`, JSON.stringify({ pid: process.pid }), { mode: 0o600 });
    renameSync(`${owner}.new`, owner);
    return lock;
  }
  lock.close();
  const { pid } = JSON.parse(readFileSync(owner, "utf8"));
  throw new OperatorError(`Another instance (process ${pid}) is using ${folder}`);
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
    if (types.isNativeError(cause) && "errcode" in cause && cause.errcode === SQLITE_BUSY)
      return false;
    lock.close();
    const why = reasonOf(cause);
    throw new OperatorError(`DATA_DIR: ${lockOf(folder)} cannot be used: ${why}`, { cause });
  }
}
