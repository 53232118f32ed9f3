import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { Pool } from "pg";
import { createPool } from "../../src/database/pool.ts";
import { type Isolation, type Transaction, transactAs } from "../../src/database/transaction.ts";
import { createLogger } from "../../src/log/logger.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let superuser: Pool;
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
afterAll(async () => {
  await superuser.end();
  await database.drop();
});

const step = (text: string) => ({ name: text.slice(-60), text, values: [] });
const insert = (id: number) => step(`insert into lab.notes values (${id}, 'a')`);
const COUNT = step("select count(*) from lab.notes");
const PID = step("select pg_backend_pid()");

const notes = async (): Promise<readonly unknown[]> => {
  const { rows } = await superuser.query({
    text: "select id from lab.notes order by id",
    rowMode: "array",
  });
  return rows.flat();
};

describe.each([true, false])(
  "a transaction of several flights, named: %s",
  (preparedStatements) => {
    let pool: Pool;
    beforeAll(() => {
      pool = createPool(database.url("parking_api"), createLogger("silent"), {
        max: 1,
        preparedStatements,
        connectionTimeoutMillis: 10_000,
      });
    });
    afterEach(async () => {
      expect(pool.idleCount).toBe(pool.totalCount); // nothing keeps a connection
      await superuser.query("truncate lab.notes");
    });
    afterAll(() => pool.end());

    const transact = <T>(
      use: (transaction: Transaction) => Promise<T>,
      isolation: Isolation = "read committed",
    ) => transactAs(pool, '{"sub":"somebody"}', isolation, { row: "1" }, use);
    const backend = () => transact(({ run }) => run([PID]));

    it("has the caller, the isolation and the rows of earlier flights in each", async () => {
      const asked = step(
        "select current_setting('request.jwt.claims'), current_setting('transaction_isolation')",
      );
      const found = await transact(async ({ run, commit }) => {
        const first = await run([asked, insert(1)]);
        const second = await run([COUNT, asked]);
        await commit([insert(2)]);
        return [first, second];
      }, "repeatable read");
      const answer = [['{"sub":"somebody"}', "repeatable read"]];
      expect(found).toEqual([
        [answer, []],
        [[["1"]], answer],
      ]);
      expect(await notes()).toEqual([1, 2]);
    });

    it("leaves no caller behind", async () => {
      const before = await backend();
      const { rows } = await pool.query("select current_setting('request.jwt.claims', true) as it");
      expect(rows).toEqual([{ it: "" }]);
      expect(await backend()).toEqual(before);
    });

    it("without a commit has no effect", async () => {
      const before = await backend();
      await transact(({ run }) => run([insert(1)]));
      expect(await notes()).toEqual([]);
      expect(await backend()).toEqual(before);
    });

    it.each([
      [
        "a decision",
        ({ run }: Transaction) => run([insert(1)]).then(() => Promise.reject(Error("no"))),
      ],
      ["a first step", ({ run }: Transaction) => run([insert(1), step("select 1 / 0")])],
      [
        "a later step",
        async ({ run }: Transaction) => {
          await run([insert(1)]);
          await run([step("select 1 / 0")]);
        },
      ],
      [
        "a last step",
        async ({ run, commit }: Transaction) => {
          await run([insert(1)]);
          await commit([step("select 1 / 0")]);
        },
      ],
      [
        "the commit",
        async ({ run, commit }: Transaction) => {
          await run([insert(1)]);
          await commit([insert(1)]);
        },
      ],
    ])("that fails in %s has no effect, and leaves its connection in use", async (_what, use) => {
      const before = await backend();
      await expect(transact<unknown>(use)).rejects.toThrow(/no|division by zero|one_note_each/);
      expect(await notes()).toEqual([]);
      expect(await backend()).toEqual(before);
    });

    it("is tried again as a whole after a serialization failure", async () => {
      await superuser.query("create sequence lab.tries; grant all on lab.tries to parking_api");
      await superuser.query(
        `create function lab.fail_twice() returns void language plpgsql as $$ begin
         if nextval('lab.tries') < 3 then raise exception using errcode = '40001'; end if;
       end $$`,
      );
      let calls = 0;
      await transact(async ({ run, commit }) => {
        calls += 1;
        await run([insert(calls)]);
        await commit([step("select lab.fail_twice()")]);
      });
      await superuser.query("drop function lab.fail_twice; drop sequence lab.tries");
      expect(await notes()).toEqual([3]);
    });

    it("whose connection is lost in between fails, and the next has another", async () => {
      const before = await backend();
      const lost = transact(async ({ run, commit }) => {
        const [[[pid] = []] = []] = await run([PID, insert(1)]);
        await superuser.query("select pg_terminate_backend($1)", [pid]);
        await commit([insert(2)]);
      });
      await expect(lost).rejects.toThrow();
      expect(await notes()).toEqual([]);
      expect(await backend()).not.toEqual(before);
    });
  },
);
