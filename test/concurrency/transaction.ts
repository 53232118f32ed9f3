import type { QueryResultRow } from "pg";
import { withClient } from "../../src/migrations.ts";
import type { Building } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { untilWaiting } from "./waiting.ts";

/** A transaction of a person's own, as the API role, that a test holds open. */
export interface Transaction {
  run<Row extends QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Calls an operation by its name in schema api. */
  call(operation: string, values: Readonly<Record<string, string | boolean>>): Promise<unknown>;
  /** Until one other transaction waits for the end of this one. */
  isWaitedFor(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** Begins a transaction; if `use` does not end it, it is rolled back. */
export const withTransaction = <T>(
  building: Building,
  person: Person,
  use: (transaction: Transaction) => Promise<T>,
): Promise<T> =>
  withClient(building.database.url("parking_api"), async (client) => {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const pid = rows[0]?.pid;
    const claims = JSON.stringify({ sub: person.id, email: person.email });
    await client.query("begin");
    await client.query("select set_config('request.jwt.claims', $1, true)", [claims]);

    return use({
      run: async <Row extends QueryResultRow>(sql: string, values: readonly unknown[] = []) =>
        (await client.query<Row>(sql, [...values])).rows,
      call: (operation, values) => {
        const names = Object.keys(values).map((name, i) => `${name} => $${i + 1}`);
        return client.query(`select api.${operation}(${names.join(", ")})`, Object.values(values));
      },
      isWaitedFor: () => untilWaiting(building, 1, pid),
      commit: async () => {
        await client.query("commit");
      },
      rollback: async () => {
        await client.query("rollback");
      },
    });
  });
