import { expect, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import { useDatabase } from "../../support/database.ts";

const database = useDatabase();

/**
 * Makes each view and function anew from what PostgreSQL says it is, as a restore of a dump and
 * pg_upgrade do. PostgreSQL writes some definitions otherwise the second time, such as a `between`
 * beside an `and`; check:drift would find a difference after each restore.
 */
const CHANGED = `
  do $$
  declare
    v_object record;
    v_again text;
  begin
    set local search_path = '';
    set local check_function_bodies = off;
    create temporary table changed (definition text) on commit drop;
    for v_object in
      select c.oid, c.oid::regclass::text as name, pg_get_viewdef(c.oid) as definition
        from pg_class c
       where c.relkind = 'v'
         and c.relnamespace::regnamespace::text in ('parking', 'api', 'private', 'reporting', 'identity')
    loop
      execute format('create temporary view again as %s', v_object.definition);
      select pg_get_viewdef('pg_temp.again'::regclass) into v_again;
      drop view pg_temp.again;
      if v_again <> v_object.definition then
        insert into pg_temp.changed values (v_object.name);
      end if;
    end loop;
    for v_object in
      select p.oid, p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition
        from pg_proc p
       where p.pronamespace::regnamespace::text in ('parking', 'api', 'private', 'reporting', 'identity')
    loop
      execute v_object.definition;
      if pg_get_functiondef(v_object.oid) <> v_object.definition then
        insert into pg_temp.changed values (v_object.name);
      end if;
    end loop;
  end $$;
  select definition from pg_temp.changed order by 1`;

it("each view and function has the same definition after a dump and a restore", async () => {
  const changed = await withClient(database.url("postgres"), async (client) => {
    await client.query("begin");
    const results = await client.query(CHANGED);
    return [results].flat().at(-1)?.rows;
  });
  expect(changed).toEqual([]);
});
