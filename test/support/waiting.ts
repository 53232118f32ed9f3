import { setTimeout as pause } from "node:timers/promises";
import type { Arena } from "./arena.ts";
import type { Person } from "./person.ts";
import { claimsOf, setClaims, withTransactionOf } from "./sql.ts";

/** Longer than anything takes on a busy machine: only a failing test waits for it. */
export const PATIENCE_MS = 150_000;

/** Checks a condition every few milliseconds until it is true; fails after some minutes. */
export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
): Promise<void> {
  const start = performance.now();
  while (!(await condition())) {
    if (performance.now() - start > PATIENCE_MS) throw new Error(`timed out: ${what}`);
    await pause(5);
  }
}

/** Waits until so many statements wait for a lock, held by any process or by the one given. */
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

/** What a rival gets that waits for a transaction with this statement of the person, which then commits. */
export const behind = <T>(
  arena: Arena,
  person: Person,
  [text, values]: readonly [text: string, values: readonly unknown[]],
  rival: () => Promise<T>,
): Promise<T> =>
  withTransactionOf(arena.direct, async (client) => {
    await setClaims(client, claimsOf(person));
    await client.query(text, [...values]);
    const result = rival();
    await untilWaiting(arena, 1);
    await client.query("commit");
    return result;
  });
