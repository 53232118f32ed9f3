import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { Pool } from "pg";
import { createPool } from "../../src/database/pool.ts";
import { callAs, type Kind, type Row } from "../../src/database/transaction.ts";
import { createLogger } from "../../src/log/logger.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let superuser: Pool;
let pool: Pool;
beforeAll(async () => {
  database = await cloneDatabase();
  superuser = new Pool({ connectionString: database.url("postgres"), max: 1 });
  await superuser.query(
    `create schema lab;
     grant usage on schema lab to parking_api;
     create table lab.notes (
       id integer constraint one_note_each unique deferrable initially deferred,
       text text
     );
     grant all on lab.notes to parking_api`,
  );
});
beforeEach(() => startPool());
afterEach(async () => {
  expect(pool.idleCount).toBe(pool.totalCount); // nothing keeps a connection
  await pool.end();
  await superuser.query("truncate lab.notes");
});
afterAll(async () => {
  await superuser.end();
  await database.drop();
});

/** On a busy machine a connection may take longer than the usual second. */
const patience = { connectionTimeoutMillis: 10_000 };

/** A pool of one connection. */
const startPool = (options = {}): void => {
  pool = createPool(database.url("parking_api"), createLogger("silent"), {
    max: 1,
    ...patience,
    ...options,
  });
};

/** A statement with values. Its text is its name too. */
type Asked = readonly [text: string, ...values: (string | null)[]];

const fly = (kind: Kind, asked: readonly Asked[], isGone?: () => boolean) => {
  const steps = asked.map(([text, ...values]) => ({ name: text.slice(-60), text, values }));
  return callAs(pool, '{"sub":"somebody"}', { kind, steps, row: "1", isGone });
};
const write = (...asked: readonly Asked[]) => fly("write", asked);
const read = (...asked: readonly Asked[]) => fly("read", asked);

const INSERT = "insert into lab.notes values ($1, $2)";
const backend = async (): Promise<Row | undefined> => {
  const [rows] = await read(["select pg_backend_pid()"]);
  return rows?.[0];
};
const notes = async (): Promise<readonly unknown[]> => {
  const { rows } = await superuser.query({
    text: "select id, text from lab.notes order by id",
    rowMode: "array",
  });
  return rows;
};

/** Runs this before each commit that adds notes. */
const beforeCommit = async (body: string): Promise<void> => {
  await superuser.query(
    `create function lab.before_commit() returns trigger
       language plpgsql
       security definer
     as $$ begin ${body}; return null; end $$;
     create constraint trigger before_commit
       after insert on lab.notes
       deferrable initially deferred
       for each row execute function lab.before_commit()`,
  );
};
const withoutThat = () => superuser.query("drop function lab.before_commit cascade");

describe("a flight", () => {
  it("returns the rows of each step, their values as PostgreSQL's text", async () => {
    const several = "select n, n = 1, null, $1 from generate_series(1, $2::integer) as n";
    expect(await read([several, "ä\n", "2"], [several, null, "0"], [""], ["select"])).toEqual([
      [
        ["1", "t", null, "ä\n"],
        ["2", "f", null, "ä\n"],
      ],
      [],
      [],
      [[]],
    ]);
  });

  it("has the caller in every step, and no longer", async () => {
    const caller = "select current_setting('request.jwt.claims')";
    const claims = [['{"sub":"somebody"}']];
    expect(await read([caller], [caller])).toEqual([claims, claims]);
    expect((await pool.query({ text: caller, rowMode: "array" })).rows).toEqual([[""]]);
  });

  it("commits its steps together", async () => {
    const found = await write([INSERT, "1", "a"], ["select count(*) from lab.notes"]);
    expect(found).toEqual([[], [["1"]]]);
    expect(await notes()).toEqual([[1, "a"]]);
  });

  it("that fails in one step has no effect, and no later step runs", async () => {
    const before = await backend();
    await superuser.query("create sequence lab.runs; grant all on lab.runs to parking_api");
    const failing = write(
      [INSERT, "1", "a"],
      ["select 1 / $1::integer", "0"],
      ["select nextval('lab.runs')"],
    );
    await expect(failing).rejects.toMatchObject({ code: "22012", severity: "ERROR" });
    expect(await notes()).toEqual([]);
    const { rows } = await superuser.query("select is_called from lab.runs");
    expect(rows).toEqual([{ is_called: false }]);
    expect(await backend()).toEqual(before);
  });

  it("keeps the isolation that the role has", async () => {
    const isolation = "default_transaction_isolation%3Dserializable";
    await pool.end();
    pool = createPool(
      `${database.url("parking_api")}?options=-c%20${isolation}`,
      createLogger("silent"),
      patience,
    );
    const asked: Asked = ["show transaction_isolation"];
    expect(await write([INSERT, "1", "a"], asked)).toEqual([[], [["serializable"]]]);
    expect(await read(asked)).toEqual([[["serializable"]]]);
  });

  it("whose client has left is not sent", async () => {
    await expect(fly("read", [["select 1"]], () => true)).rejects.toMatchObject({
      code: "client_left",
    });
  });
});

describe("a commit that fails", () => {
  it("is the failure of the flight: a deferred constraint", async () => {
    const before = await backend();
    await expect(write([INSERT, "1", "a"], [INSERT, "1", "b"])).rejects.toMatchObject({
      code: "23505",
      constraint: "one_note_each",
    });
    expect(await notes()).toEqual([]);
    expect(await backend()).toEqual(before);
  });

  it("with a serialization failure is tried again", async () => {
    await superuser.query("create sequence lab.commits");
    await beforeCommit(
      "if nextval('lab.commits') < 3 then raise exception using errcode = '40001'; end if",
    );
    await write([INSERT, "1", "a"]);
    await withoutThat();
    expect(await notes()).toEqual([[1, "a"]]);
  });

  it("because the connection is lost: the flight fails, and nothing is written", async () => {
    const before = await backend();
    await beforeCommit("perform pg_terminate_backend(pg_backend_pid())");
    await expect(write([INSERT, "1", "a"])).rejects.toMatchObject({ code: "57P01" });
    await withoutThat();
    expect(await notes()).toEqual([]);
    expect(await backend()).not.toEqual(before);
  });
});

describe("a flight that reads", () => {
  it("cannot write, and is not tried again", async () => {
    let connections = 0;
    pool.on("acquire", () => {
      connections += 1;
    });
    await expect(read([INSERT, "1", "a"])).rejects.toMatchObject({ code: "25006" });
    expect(connections).toBe(1);
  });

  it.each([
    "select set_config('transaction_read_only', 'off', true)",
    "select set_config('transaction_read_only', 'off', false)",
    "set transaction read write",
    "set transaction_read_only = off",
  ])("cannot be made to write: %s", async (text) => {
    await expect(read([text], [INSERT, "1", "a"])).rejects.toMatchObject({ code: "25001" });
    expect(await notes()).toEqual([]);
  });

  it("cannot be made to write by a function", async () => {
    await superuser.query(
      `create function lab.write() returns void language plpgsql as $$
       begin
         perform set_config('transaction_read_only', 'off', true);
         insert into lab.notes values (1, 'a');
       end $$`,
    );
    await expect(read(["select lab.write()"])).rejects.toMatchObject({ code: "25001" });
    expect(await notes()).toEqual([]);
  });

  it("leaves a connection on which the next flight can write", async () => {
    const before = await backend();
    await read(["select 1"]);
    await write([INSERT, "1", "a"]);
    expect(await notes()).toEqual([[1, "a"]]);
    expect(await backend()).toEqual(before);
  });
});

describe("a statement", () => {
  const PLANS =
    "select name, generic_plans + custom_plans from pg_prepared_statements where name = 'select $1'";

  it("is parsed once on a connection", async () => {
    for (const value of ["1", "2", "3"]) await read(["select $1", value]);
    expect(await read([PLANS])).toEqual([[["select $1", "3"]]]);
  });

  it("is parsed each time without prepared statements", async () => {
    await pool.end();
    startPool({ preparedStatements: false });
    expect(await read(["select $1", "1"], ["select $1", "2"], [PLANS])).toEqual([
      [["1"]],
      [["2"]],
      [],
    ]);
  });

  it("that failed when it was first parsed, or run, can be run later", async () => {
    const later: Asked = ["select text from lab.later where id / $1 = 1", "0"];
    await expect(read(later)).rejects.toMatchObject({ code: "42P01" });
    await superuser.query(
      "create table lab.later as select 1 as id, 'a' as text; grant all on lab.later to parking_api",
    );
    await expect(read(later)).rejects.toMatchObject({ code: "22012" });
    expect(await read([later[0], "1"])).toEqual([[["a"]]]);
  });

  it("that the connection has lost is parsed again", async () => {
    const before = await backend();
    await read(["select 1"]);
    await pool.query("deallocate all");
    expect(await read(["select 1"])).toEqual([[["1"]]]);
    expect(await backend()).toEqual(before);
  });

  it("that loses its place to a hundred others is closed, and can be run again", async () => {
    const before = await backend();
    for (let i = 0; i < 150; i++) await read([`select ${i}`]);
    const [rows] = await read(["select name from pg_prepared_statements"]);
    const names = rows?.flat();
    expect(names).toHaveLength(100);
    expect(names).toContain("select 149");
    expect(names).not.toContain("select 0");
    expect(await read(["select 0"], ["select 149"])).toEqual([[["0"]], [["149"]]]);
    expect(await backend()).toEqual(before);
  });

  it("that fails is counted as well: it may have been parsed", async () => {
    for (let i = 0; i < 150; i++) {
      const failing = read([`select ${i} / $1::integer`, "0"]);
      await expect(failing).rejects.toMatchObject({ code: "22012" });
    }
    const [rows] = await read(["select name from pg_prepared_statements"]);
    expect(rows).toHaveLength(100);
  });

  it("that is rare is not kept", async () => {
    const text = "select count(*) from pg_prepared_statements where not from_sql";
    const rare = { name: "rare", text, values: [], isRare: true };
    const found = await callAs(pool, "{}", { kind: "read", steps: [rare, rare], row: "1" });
    expect(found).toEqual([[["1"]], [["1"]]]); // the one that identifies the caller
  });

  it("whose columns a migration has changed is parsed again", async () => {
    await write([INSERT, "1", "a"]);
    await read(["select * from lab.notes"]);
    await superuser.query("alter table lab.notes add column more integer default 2");
    expect(await read(["select * from lab.notes"])).toEqual([[["1", "a", "2"]]]);
    await superuser.query("alter table lab.notes drop column more");
  });
});

describe("a connection that a flight leaves in another state", () => {
  it("in a transaction: is not used again", async () => {
    const before = await backend();
    await expect(write(["begin"], [INSERT, "1", "a"])).rejects.toThrow("still open");
    expect(await notes()).toEqual([]);
    expect(await backend()).not.toEqual(before);
  });

  it("waiting for rows to copy: is not used again", async () => {
    const before = await backend();
    await expect(write(["copy lab.notes from stdin"], ["select 1"])).rejects.toThrow("copy");
    expect(await backend()).not.toEqual(before);
  });
});
