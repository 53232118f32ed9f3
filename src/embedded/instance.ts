import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { types } from "node:util";
import { OperatorError } from "../errors/operator-error.ts";
import { reasonOf } from "../errors/reason.ts";

const SQLITE_BUSY = 5;

const lockOf = (folder: string): string => join(folder, "instance.lock");

/**
 * Makes this process the only user of the folder until it ends, however it ends. Node has no flock,
 * but SQLite has: the kernel frees the lock of an exclusive transaction with the process that holds
 * it, so no lock is stale, and no reused process number is taken for its owner.
 */
export function claim(folder: string): Disposable {
  const owner = join(folder, "instance.json");
  const lock = openLock(folder, "begin exclusive");
  if (lock === undefined) {
    const { pid } = JSON.parse(readFileSync(owner, "utf8"));
    throw new OperatorError(`Another instance (process ${pid}) is using ${folder}`);
  }
  // It is renamed into place, because another process may be reading it.
  writeFileSync(`${owner}.new`, JSON.stringify({ pid: process.pid }), { mode: 0o600 });
  renameSync(`${owner}.new`, owner);
  return lock;
}

export function isClaimed(folder: string): boolean {
  if (!existsSync(lockOf(folder))) return false;
  using lock = openLock(folder, "select * from sqlite_schema", true);
  return lock === undefined;
}

/**
 * Undefined if an exclusive transaction of another forbids the statement.
 * @throws OperatorError if something else does, such as a full disk
 */
function openLock(folder: string, statement: string, readOnly = false): DatabaseSync | undefined {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(lockOf(folder), { timeout: 200, readOnly });
    lock.exec(statement);
    return lock;
  } catch (cause) {
    lock?.close();
    if (types.isNativeError(cause) && "errcode" in cause && cause.errcode === SQLITE_BUSY) return;
    const why = reasonOf(cause);
    throw new OperatorError(`DATA_DIR: ${lockOf(folder)} cannot be used: ${why}`, { cause });
  }
}
