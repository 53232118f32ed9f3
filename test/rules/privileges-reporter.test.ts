import { beforeAll, describe, expect, it } from "@jest/globals";
import { holding, useBuilding } from "../support/building.ts";
import { everything } from "../support/rows.ts";
import { tryAt } from "../support/sql.ts";

const building = useBuilding();
beforeAll(async () => {
  await holding(building);
});

/** Every relation of the database but the system's own, which no role can write. */
const ours =
  "c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)";

describe.each(["parking_reporter", "parking_analyst"])("%s", (role) => {
  it("calls no function of api, and reaches nothing of the sign-in by mail, not even the schema", async () => {
    const reached = await building.rows(
      `select c.oid::regclass::text as name
         from pg_class c
        where c.relnamespace = 'identity'::regnamespace
          and c.relkind in ('r', 'p', 'v', 'm', 'S')
          and (has_table_privilege($1, c.oid, 'SELECT, INSERT, UPDATE, DELETE')
            or c.relkind <> 'S' and has_any_column_privilege($1, c.oid, 'SELECT, INSERT, UPDATE'))
        union all
       select p.oid::regprocedure::text
         from pg_proc p
        where p.pronamespace = 'identity'::regnamespace
          and has_function_privilege($1, p.oid, 'EXECUTE')
        union all
       select 'the schema'
        where has_schema_privilege($1, 'identity', 'USAGE, CREATE')`,
      [role],
    );
    expect(reached).toEqual([]);
  });
});

describe("parking_reporter", () => {
  it("may read the views of reporting, and no other relation in any way", async () => {
    const reachable = await building.rows<{ relation: string; kind: string }>(
      `select c.relnamespace::regnamespace::text as relation, c.relkind as kind, privilege
         from pg_class c,
              unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES',
                           'TRIGGER', 'MAINTAIN']) privilege
        where ${ours}
          and c.relkind in ('r', 'p', 'v', 'm', 'f')
          and (
            has_table_privilege('parking_reporter', c.oid, privilege)
            or privilege in ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES')
               and has_any_column_privilege('parking_reporter', c.oid, privilege)
          )
        group by 1, 2, 3`,
    );
    expect(reachable).toEqual([{ relation: "reporting", kind: "v", privilege: "SELECT" }]);
  });

  it("may write nothing that it can name, after it has left read-only mode", async () => {
    const before = await everything(building);
    const relations = await building.rows<{ name: string; first_column: string }>(
      `select c.oid::regclass::text as name, quote_ident(a.attname) as first_column
         from pg_class c
         join pg_attribute a on a.attrelid = c.oid and a.attnum = 1
        where ${ours}
          and c.relkind in ('r', 'p', 'v', 'm')`,
    );
    expect(relations.length).toBeGreaterThan(15);
    await tryAt(building.database.url("parking_reporter"), async (client) => {
      await client.query("set transaction read write");
      for (const { name, first_column: column } of relations) {
        for (const statement of [
          `insert into ${name} (${column}) values (null)`,
          `insert into ${name} default values`,
          `update ${name} set ${column} = ${column}`,
          `delete from ${name}`,
          `truncate ${name}`,
          `select from ${name} for update`,
          `lock table ${name} in row exclusive mode`,
        ]) {
          await client.query("savepoint attempt");
          const code = await client.query(statement).then(
            () => "written",
            (error) => error.code,
          );
          await client.query("rollback to savepoint attempt");
          // Not granted, not a table, or a view that PostgreSQL cannot write through.
          expect([statement, code]).toEqual([
            statement,
            expect.stringMatching(/^(42501|42809|55000|0A000)$/),
          ]);
        }
      }
      await client.query("commit");
    });
    expect(await everything(building)).toEqual(before);
  });
});
