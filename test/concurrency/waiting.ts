import { setTimeout as pause } from "node:timers/promises";
import type { Arena } from "./arena.ts";

const PATIENCE_MS = 10_000;

/** Asks again and again until it is so. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const start = performance.now();
  while (!(await isSo())) {
    if (performance.now() - start > PATIENCE_MS) throw new Error(`never came about: ${what}`);
    await pause(1);
  }
}

/** Until so many statements in the database wait for a lock, of anybody or of the one given. */
export const untilWaiting = (
  { superuser }: Arena,
  count: number,
  holder: number | null = null,
): Promise<void> =>
  until(`${count} waiting for ${holder ?? "a lock"}`, async () => {
    const { rowCount } = await superuser.query(
      `select from pg_stat_activity a
        where a.datname = current_database()
          and a.wait_event_type = 'Lock'
          and ($1::integer is null or $1 = any (pg_blocking_pids(a.pid)))`,
      [holder],
    );
    return rowCount === count;
  });
