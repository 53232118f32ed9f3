import { describe, expect, it } from "@jest/globals";
import { rolledBack } from "../support/sql.ts";
import { describeChecks, ours, ownDatabase } from "./check.ts";

describeChecks("row security", [
  {
    title: "is on for every table, and the API role reaches nothing that cannot have it",
    offenders: `
      select c.oid::regclass::text as name
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
       where ${ours}
         and not c.relrowsecurity
         and (
           c.relkind in ('r', 'p')
           or c.relkind in ('m', 'f') and (
             has_table_privilege('parking_api', c.oid, 'delete, truncate, trigger, maintain')
             or has_any_column_privilege('parking_api', c.oid, 'select, insert, update, references')
           )
         )`,
    breaks: {
      "alter table parking.spots disable row level security": "parking.spots",
      "create table parking.pets ()": "parking.pets",
      "create table private.pets ()": "private.pets",
      "create schema pets create table dogs ()": "pets.dogs",
      [`create materialized view parking.pets as select 1 as legs, 2 as ears;
        grant select (legs) on parking.pets to parking_api`]: "parking.pets",
    },
  },
  {
    title: "lets policies call functions once per statement, not once per row",
    offenders: `
      select p.polrelid::regclass || '.' || p.polname as name
        from pg_policy p
       cross join lateral concat_ws(' ',
         pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)
       ) as expression
       where regexp_replace(expression, '\\( SELECT [a-z_.]+\\(\\) AS \\w+\\)', '', 'g') ~ '\\w\\('`,
    breaks: {
      [`create policy slow on parking.spots for select to parking_api
          using (private.is_approved())`]: "parking.spots.slow",
      [`create policy slow on parking.spots for insert to parking_api
          with check (owner_id = private.caller_id())`]: "parking.spots.slow",
      [`create policy slow on parking.spots
          using (current_setting('request.jwt.claims') is not null)`]: "parking.spots.slow",
      [`create policy slow on parking.claims for select to parking_api
          using ((select private.claim_exists(id)))`]: "parking.claims.slow",
    },
  },
  {
    title: "has a policy for each statement that the API role may make of a table",
    offenders: `
      select c.oid::regclass || ': ' || command.privilege as name
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
       cross join (values ('select', 'r'), ('insert', 'a'), ('update', 'w'), ('delete', 'd'))
          as command (privilege, code)
       where ${ours}
         and c.relkind in ('r', 'p')
         and (
           has_table_privilege('parking_api', c.oid, command.privilege)
           or command.privilege <> 'delete'
              and has_any_column_privilege('parking_api', c.oid, command.privilege)
         )
         and not exists (
           select from pg_policy p
            where p.polrelid = c.oid
              and p.polpermissive
              and p.polcmd::text in (command.code, '*')
         )`,
    breaks: {
      "grant delete on parking.building to parking_api": "parking.building: delete",
      "drop policy insert_own on parking.spots": "parking.spots: insert",
    },
  },
]);

const { superuser } = ownDatabase();

/** The lines of the plans of the API role's statements that call a function for each row. */
async function slowLines(): Promise<readonly string[]> {
  const { rows: tables } = await superuser().query<{ name: string; deletable: boolean }>(`
    select c.oid::regclass::text as name,
           has_table_privilege('parking_api', c.oid, 'delete') as deletable
      from pg_class c
     where c.relkind = 'r'
       and c.relnamespace = 'parking'::regnamespace
       and has_table_privilege('parking_api', c.oid, 'select')`);
  expect(tables.length).toBeGreaterThan(5);
  await superuser().query("set local role parking_api");
  const found: string[] = [];
  for (const { name, deletable } of tables) {
    for (const verb of ["select *", ...(deletable ? ["delete"] : [])]) {
      const { rows } = await superuser().query(`explain ${verb} from ${name}`);
      const lines: readonly string[] = rows.map((row) => row["QUERY PLAN"]);
      expect(lines.join("\n")).toContain("InitPlan");
      found.push(...lines.filter((line) => /SubPlan|(Filter|Cond): .*\w\(/.test(line)));
    }
  }
  return found;
}

describe("the plan of each table, as the API role", () => {
  it("asks who the caller is once", async () => {
    await rolledBack(superuser(), async () => {
      expect(await slowLines()).toEqual([]);
    });
  });

  it("is seen where it asks for each row", async () => {
    await rolledBack(superuser(), async () => {
      await superuser().query(
        `create policy slow on parking.notifications as restrictive to parking_api
           using (private.is_approved())`,
      );
      expect(await slowLines()).toEqual([
        expect.stringMatching(/Filter: .*private\.is_approved\(\)/),
      ]);
    });
  });
});
