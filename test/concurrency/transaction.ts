import type { Arena } from "../support/arena.ts";
import type { Person } from "../support/person.ts";
import { claimsOf, setClaims, withTransactionOf } from "../support/sql.ts";
import { untilWaiting } from "../support/waiting.ts";
import { outcomeOfSql } from "./rivals.ts";

/** A transaction of a person, as the API role, that a test holds open. */
export interface Transaction {
  /** Calls an operation by its name in schema api. */
  call(operation: string, values: Readonly<Record<string, string | boolean>>): Promise<unknown>;
  /** Does now what is deferred to the commit. */
  doDeferred(): Promise<unknown>;
  /** Waits until one other transaction waits for this one. */
  isWaitedFor(): Promise<void>;
  /** Commits it or rolls it back. */
  end(how: "commit" | "rollback"): Promise<unknown>;
}

/** Begins a transaction; what `use` does not commit is rolled back. */
export const withTransaction = <T>(
  arena: Arena,
  person: Person,
  use: (transaction: Transaction) => Promise<T>,
): Promise<T> =>
  withTransactionOf(arena.direct, async (client) => {
    await setClaims(client, claimsOf(person));
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    return use({
      call: (operation, values) => {
        const names = Object.keys(values).map((name, i) => `${name} => $${i + 1}`);
        return client.query(`select api.${operation}(${names.join(", ")})`, Object.values(values));
      },
      doDeferred: () => client.query("set constraints all immediate"),
      isWaitedFor: () => untilWaiting(arena, 1, rows[0]?.pid),
      end: (how) => client.query(how),
    });
  });

export type Statement = readonly [text: string, values: readonly unknown[]];

/**
 * What a person does in a transaction that began before something else was committed.
 * @returns how it ended, as {@link outcomeOfSql} has it
 */
export const withOldSnapshotOf = (
  arena: Arena,
  person: Person,
  level: string,
  [text, values]: Statement,
  meanwhile: () => Promise<unknown>,
): Promise<string> =>
  withTransactionOf(arena.direct, async (client) => {
    await client.query(`set transaction isolation level ${level}`);
    await setClaims(client, claimsOf(person)); // the snapshot is of now
    await meanwhile();
    return outcomeOfSql(client.query(text, [...values]).then(() => client.query("commit")));
  });
