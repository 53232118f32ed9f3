import { expect, it } from "@jest/globals";
import { withClient } from "../../src/database/client.ts";
import { holding, spotOf, useBuilding } from "../support/building.ts";
import * as doors from "../support/doors.ts";
import { everything } from "../support/rows.ts";
import { sqlWithoutHouse } from "../support/sql-without-house.ts";

const building = useBuilding();

const runAll = () =>
  withClient(building.database.url("parking_owner"), async (owner) => {
    await owner.query(await sqlWithoutHouse());
  });

/** Every definition, grant and comment in the schemas, and the file of each table. */
const definitions = () =>
  building.rows(`
    with ours as (
      select oid from pg_namespace where nspname in ('parking', 'api', 'private', 'identity')
    )
    select c.oid::regclass::text as object, 'relation' as kind,
           concat_ws(' ', c.relacl, c.relrowsecurity,
                     case c.relkind when 'r' then pg_relation_filenode(c.oid) end,
                     case c.relkind when 'v' then pg_get_viewdef(c.oid) end,
                     case c.relkind when 'i' then pg_get_indexdef(c.oid) end,
                     obj_description(c.oid, 'pg_class')) as definition
      from pg_class c where c.relnamespace in (table ours)
    union all
    select format('%s.%s', a.attrelid::regclass, a.attname), 'column',
           concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attacl,
                     pg_get_expr(d.adbin, d.adrelid), col_description(a.attrelid, a.attnum))
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid
      left join pg_attrdef d on (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
     where c.relnamespace in (table ours)
    union all
    select format('%s.%s', c.conrelid::regclass, c.conname), 'constraint',
           concat_ws(' ', pg_get_constraintdef(c.oid), obj_description(c.oid, 'pg_constraint'))
      from pg_constraint c where c.connamespace in (table ours)
    union all
    select format('%s.%s', t.tgrelid::regclass, t.tgname), 'trigger',
           concat_ws(' ', t.tgenabled, pg_get_triggerdef(t.oid),
                     obj_description(t.oid, 'pg_trigger'))
      from pg_trigger t
      join pg_class c on c.oid = t.tgrelid
     where c.relnamespace in (table ours)
       and not t.tgisinternal
    union all
    select format('%s.%s', p.polrelid::regclass, p.polname), 'policy',
           concat_ws(' ', p.polcmd, p.polpermissive, p.polroles::regrole[],
                     pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid),
                     obj_description(p.oid, 'pg_policy'))
      from pg_policy p
    union all
    select p.oid::regprocedure::text, 'function',
           concat_ws(' ', pg_get_functiondef(p.oid), p.proacl, obj_description(p.oid, 'pg_proc'))
      from pg_proc p
     where p.pronamespace in (table ours)
       and p.prokind = 'f'
    union all
    select n.nspname, 'schema', concat_ws(' ', n.nspacl, obj_description(n.oid, 'pg_namespace'))
      from pg_namespace n where n.oid in (table ours)
    order by kind, object`);

it("sql/all.sql can be run again on a filled database, and changes nothing", async () => {
  for (const status of ["active", "completed", "cancelled"]) {
    const { claimer, claim } = await holding(building);
    await claimer.sql(...doors.close(claim, status).sql);
  }
  await spotOf(await building.administrator());
  const before = { rows: await everything(building), definitions: await definitions() };

  await runAll();

  expect(await everything(building)).toEqual(before.rows);
  expect(await definitions()).toEqual(before.definitions);
});
