import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { pino } from "pino";
import { withClient } from "../../../src/database/client.ts";
import { createDatabase } from "../../../src/embedded/database.ts";
import { withThrowAwayPostgres } from "../../../src/embedded/throw-away.ts";
import { OperatorError } from "../../../src/errors/operator-error.ts";
import { runMigrations } from "../../../src/migrations/run.ts";
import { projectFolder } from "../../../src/project-folder.ts";
import { cloneDatabase, type TestDatabase } from "../../support/database.ts";
import { until } from "../../support/waiting.ts";

let database: TestDatabase;
let owner: string;
beforeEach(async () => {
  database = await cloneDatabase("template1");
  owner = database.url("parking_owner");
});
afterEach(() => database.drop());

/** A logger that keeps its messages. */
function recorder() {
  const messages: string[] = [];
  const sink = new Writable({
    write(line, _encoding, done) {
      messages.push(JSON.parse(String(line)).msg);
      done();
    },
  });
  return { messages, logger: pino(sink) };
}

const silent = pino({ level: "silent" });
const query = (sql: string) => withClient(owner, async (client) => (await client.query(sql)).rows);
const rules = () => query("select count(*)::integer as count from private.rules");

const files = await readdir(join(projectFolder, "migrations/committed"));
const NAMES = files.map((it) => it.replace(/-.*/, ".sql")).toSorted();
const applied = async () => {
  const rows = await query("select filename from graphile_migrate.migrations order by filename");
  return rows.map(({ filename }) => filename);
};

/** So that the newest runs again, as its files can. */
const forgetNewest = () =>
  query(`delete from graphile_migrate.migrations
          where filename = (select max(m.filename) from graphile_migrate.migrations m)`);

/** In the way of what changes a table, whichever the newest migration changes. */
const IN_THE_WAY = `lock table parking.building, parking.profiles, parking.spots,
  parking.availabilities, parking.claims, parking.notifications in row exclusive mode`;

describe("the committed migrations", () => {
  it("make a database that works, and once only", async () => {
    await runMigrations(owner, silent);
    const [before] = await rules();
    expect(before.count).toBeGreaterThan(40);

    const { logger, messages } = recorder();
    await runMigrations(owner, logger);
    expect(messages).toEqual(["graphile-migrate: Already up to date"]);
  });

  it("leave no connection behind that could break later", async () => {
    await runMigrations(owner, silent);
    expect(
      await query(`select application_name from pg_stat_activity
                    where datname = current_database() and pid <> pg_backend_pid()
                      and usename is not null -- autovacuum has none`),
    ).toEqual([]);
  });
});

it("several migrations at once wait for one another, and all succeed", async () => {
  const { logger, messages } = recorder();
  await Promise.all(Array.from({ length: 4 }, () => runMigrations(owner, logger)));
  expect(messages).toContainEqual(
    expect.stringMatching(
      /^waiting for another migration: (process \d+ \(parking_owner, parking-migrate-\w+\)|it has just ended)$/,
    ),
  );
  expect(await applied()).toEqual(NAMES);
});

describe("a migration that needs a lock", () => {
  it("says what it waits for, lets requests through, and tries again", async () => {
    await runMigrations(owner, silent);
    await forgetNewest();
    const { logger, messages } = recorder();

    await withClient(owner, async (holder) => {
      await holder.query("set application_name = 'a long report'");
      await holder.query("begin");
      await holder.query(IN_THE_WAY);
      const migrated = runMigrations(owner, logger);
      await until("a first attempt", async () =>
        messages.some((message) => message.startsWith("attempt 1")),
      );
      // The lock is free for others between two attempts.
      await query("select from parking.building, parking.claims");
      await holder.query("commit");
      await migrated;
    });

    const wait = String.raw`a lock on parking\.\w+, which process \d+ \(parking_owner, a long report\) has`;
    expect(messages).toContainEqual(expect.stringMatching(`^waiting for ${wait}$`));
    expect(messages).toContainEqual(
      expect.stringMatching(`^attempt 1 of 10 waited for ${wait}: next in 1 s$`),
    );
    expect(await applied()).toEqual(NAMES);
  });
});

describe("a migration that a request waits for, and that waits for the request", () => {
  it("gives way, and tries again", async () => {
    await runMigrations(owner, silent);
    await forgetNewest();
    const { logger, messages } = recorder();

    await withClient(database.url("postgres"), async (holder) => {
      await holder.query("set deadlock_timeout = '1min'"); // the migration is the one that is refused
      await holder.query("begin");
      await holder.query(IN_THE_WAY);
      const migrated = runMigrations(owner, logger);
      await until("a wait", () => messages.some((it) => it.startsWith("waiting for a lock")));
      // What every migration holds, whatever the newest changes first.
      await holder.query(`select pg_advisory_xact_lock((l.classid::bigint << 32) | l.objid::bigint)
                            from pg_locks l
                           where l.locktype = 'advisory'
                             and l.database = (select oid from pg_database where datname = current_database())`);
      await holder.query("commit");
      await migrated;
    });

    expect(messages).toContainEqual(expect.stringMatching(/^attempt 1 of 10 waited for a lock/));
    expect(await applied()).toEqual(NAMES);
  });
});

it("a migration whose observer is terminated goes on", async () => {
  await runMigrations(owner, silent);
  await forgetNewest();
  await withClient(owner, async (holder) => {
    await holder.query("begin");
    await holder.query(IN_THE_WAY);
    const { logger, messages } = recorder();
    const migrated = runMigrations(owner, logger);
    await until("an observer", () => messages.some((it) => it.startsWith("waiting for a lock")));
    const { rowCount } = await holder.query(
      `select pg_terminate_backend(pid, 10_000) from pg_stat_activity
        where datname = current_database() and query like '%pg_blocking_pids%' and pid <> pg_backend_pid()`,
    );
    expect(rowCount).toBe(1);
    await holder.query("commit");
    await migrated;
  });
  expect(await applied()).toEqual(NAMES);
});

it("a database without a role of this version is refused with what makes the role", async () => {
  await withThrowAwayPostgres(async (postgres) => {
    await createDatabase(postgres, "parking");
    await withClient(postgres.url("postgres", "parking"), (superuser) =>
      superuser.query("drop owned by parking_analyst; drop role parking_analyst"),
    );
    await expect(runMigrations(postgres.url("parking_owner", "parking"), silent)).rejects.toThrow(
      'role "parking_analyst" does not exist. Run sql/roles.sql in this database first',
    );
  });
});

describe("a database of other migrations", () => {
  it("is refused with what to do where the first migration was written anew", async () => {
    await runMigrations(owner, silent);
    await query("delete from graphile_migrate.migrations where filename > '000001.sql'");
    await query("update graphile_migrate.migrations set hash = 'sha1:another'");
    const refused = runMigrations(owner, silent);
    await expect(refused).rejects.toThrow(OperatorError);
    await expect(refused).rejects.toThrow(
      /^This database ran another form of migrations\/committed\/000001-foundation\.sql than .*remove the folder DATA_DIR/,
    );
  });

  it("is warned of where it is newer than the checkout", async () => {
    await runMigrations(owner, silent);
    await query(`insert into graphile_migrate.migrations (hash, previous_hash, filename)
                 select 'sha1:newer', hash, '000099.sql' from graphile_migrate.migrations
                  order by filename desc limit 1`);
    const { logger, messages } = recorder();
    await runMigrations(owner, logger);
    expect(messages[0]).toBe("The database ran migrations that this checkout lacks: 000099");
  });
});
