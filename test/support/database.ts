import { randomBytes } from "node:crypto";
import { withClient } from "../../src/database/client.ts";
import type { EmbeddedPostgres } from "../../src/embedded/cluster.ts";
import { createDatabase } from "../../src/embedded/database.ts";
import { passwordOf } from "../../src/embedded/passwords.ts";
import { TEMPLATE } from "./global-setup.ts";
import { opened } from "./opened.ts";
import { sqlWithoutHouse } from "./sql-without-house.ts";

export interface TestDatabase {
  readonly name: string;
  /** A connection URL for one of its roles. */
  url(
    role: "parking_api" | "parking_owner" | "parking_reporter" | "parking_analyst" | "postgres",
  ): string;
  drop(): Promise<void>;
}

function serverUrl(role: string, database: string): string {
  const { TEST_POSTGRES_PASSWORD = "", TEST_POSTGRES_PORT, TEST_PGBOUNCER_PORT } = process.env;
  const port = (role === "parking_api" && TEST_PGBOUNCER_PORT) || TEST_POSTGRES_PORT;
  return `postgres://${role}:${passwordOf(role, TEST_POSTGRES_PASSWORD)}@127.0.0.1:${port}/${database}`;
}

/** One for all tests of a file, or of a describe. */
export const useDatabase = (template?: string): TestDatabase =>
  opened(
    () => cloneDatabase(template),
    (database) => database.drop(),
  );

/** A copy of the empty template database, for one test file alone. */
export async function cloneDatabase(template = TEMPLATE): Promise<TestDatabase> {
  const name = `parking_${randomBytes(6).toString("hex")}`;
  const asSuperuser = (sql: string) =>
    withClient(serverUrl("postgres", "postgres"), (client) => client.query(sql));

  await asSuperuser(`create database ${name} template ${template} strategy file_copy`);
  await withClient(serverUrl("postgres", name), (client) =>
    // Privileges on a database are not copied with it.
    client.query(`grant connect, create on database ${name} to parking_owner;
                  grant connect on database ${name} to parking_api, parking_reporter, parking_analyst;
                  revoke connect, temporary on database ${name} from public;
                  -- Tests hold locks until others wait for them, which takes time on a busy machine.
                  alter role parking_api in database ${name} set lock_timeout = '10s'`),
  );
  return {
    name,
    url: (role) => serverUrl(role, name),
    drop: async () => {
      // A pool ends before its connections do: wait for them, or they end with an error.
      await asSuperuser(`
        do $$
        begin
          for attempt in 1..100 loop
            exit when not exists (select from pg_stat_activity where datname = '${name}');
            perform pg_sleep(0.02), pg_stat_clear_snapshot();
          end loop;
        end $$`);
      await asSuperuser(`drop database ${name} with (force)`);
    },
  };
}

/** One on a server of the test's own, with which it goes. */
export async function databaseOn(postgres: EmbeddedPostgres): Promise<TestDatabase> {
  const name = "parking";
  await createDatabase(postgres, name);
  const sql = await sqlWithoutHouse();
  await withClient(postgres.url("parking_owner", name), (owner) => owner.query(sql));
  return { name, url: (role) => postgres.url(role, name), drop: async () => {} };
}
