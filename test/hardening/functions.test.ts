import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { projectFolder } from "../../src/project-folder.ts";
import { rolledBack } from "../support/sql.ts";
import { describeChecks, isOfExtension, ours, ownDatabase } from "./check.ts";

/** Views that are no window on their base tables for the caller, and why. */
const AS_OWNER = {
  "parking.contacts": "residents see a part of others' profiles; its conditions are the policy",
  "parking.deliveries": "administrators see a part of the jobs; its conditions are the policy",
};

/** (select private.f()), and what an `if` compares a query with. */
const CALLED_ONCE =
  "\\(\\s*select [a-z_.]+\\(\\)( as \\w+)?\\s*\\)|\\([a-z_.]+\\(\\)\\)\\.\\w+ then\\M";

describeChecks("a function with the rights of its owner", [
  {
    // No policy shows a row to a key, nor those of others to a concierge: what they may call looks itself.
    title: "is private or asks for the scope of a key or the staff, and has an empty search path",
    offenders: `
      select p.oid::regprocedure::text as name
        from pg_proc p
        join pg_namespace n on n.oid = p.pronamespace
       where ${ours}
         and p.prosecdef
         and (
           (n.nspname in ('private', 'identity') or n.nspname = 'api' and p.prosrc ~ 'private.(require_scope|require_staff|report_start)[(]')
           and 'search_path=""' = any (p.proconfig)
         ) is not true`,
    breaks: {
      "alter function private.is_approved() reset search_path": "private.is_approved()",
      "alter function private.is_approved() set search_path = public": "private.is_approved()",
      "alter function api.get_dashboard() security definer": "api.get_dashboard()",
    },
  },
]);

describeChecks("a function", [
  {
    // What is bound when it is made needs none, and the planner inlines no function that has one.
    title: "has an empty search path, unless it is bound when it is made or is as good as a view",
    offenders: `
      select p.oid::regprocedure::text as name
        from pg_proc p
        join pg_namespace n on n.oid = p.pronamespace
        join pg_language l on l.oid = p.prolang
       where ${ours}
         and p.prokind = 'f'
         and not ${isOfExtension}
         and p.prosqlbody is null
         and not (l.lanname = 'sql' and p.provolatile = 's')
         and ('search_path=""' = any (p.proconfig)) is not true`,
    breaks: {
      "create function api.feed() returns integer language sql as 'select 1'": "api.feed()",
    },
  },
]);

describeChecks("a function or a view", [
  {
    title: "calls another once per statement, not once per row",
    // A condition calls a function without arguments in a query of its own: (select private.f()).
    offenders: `
      select d.name
        from (
          select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition
            from pg_proc p
            join pg_namespace n on n.oid = p.pronamespace
           where ${ours} and p.prokind = 'f' and not ${isOfExtension}
          union all
          select c.oid::regclass::text, pg_get_viewdef(c.oid)
            from pg_class c
            join pg_namespace n on n.oid = c.relnamespace
           where ${ours} and c.relkind in ('v', 'm')
        ) d
       where exists (
         select
           from regexp_split_to_table(regexp_replace(d.definition, '--[^\\n]*', '', 'g'), ';') statement
          where regexp_replace(statement, '${CALLED_ONCE}', '', 'gi')
                  ~* '\\m(where|on|having)\\M.*\\m(private|api)\\.\\w+\\(\\)'
       )`,
    breaks: {
      [`create function private.slow() returns bigint language plpgsql as $$
          begin
            return (select count(*) from parking.spots where owner_id = any (private.suspended_owners()));
          end $$`]: "private.slow()",
      [`create function private.slow() returns bigint language sql
          return (select count(*) from parking.spots where owner_id = private.caller_id())`]:
        "private.slow()",
      [`create view reporting.slow as
          select s.id from parking.spots s
            join parking.claims c on c.spot_id = s.id and c.claimer_id = private.caller_id()`]:
        "reporting.slow",
    },
  },
]);

describeChecks("a view", [
  {
    title: "has the rights of its caller, except in reporting",
    offenders: `
      select c.oid::regclass::text as name
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
       where ${ours}
         and c.relkind in ('v', 'm')
         and n.nspname <> 'reporting'
         and ('security_invoker=true' = any (c.reloptions)) is not true
         and c.oid::regclass::text not in ('${Object.keys(AS_OWNER).join("', '")}')`,
    breaks: {
      "create view api.pets as select * from parking.spots": "api.pets",
      "alter view private.rules set (security_invoker = false)": "private.rules",
    },
  },
  {
    title:
      "shows no row to a function of the query before its conditions, where it has its owner's",
    offenders: `
      select c.oid::regclass::text as name
        from pg_class c
       where c.oid::regclass::text in ('${Object.keys(AS_OWNER).join("', '")}')
         and ('security_barrier=true' = any (c.reloptions)) is not true`,
    breaks: { "alter view parking.contacts reset (security_barrier)": "parking.contacts" },
  },
]);

const { superuser } = ownDatabase();

/** The functions with the rights of their owner whose source gives no reason on the same line. */
async function withoutReason(): Promise<readonly string[]> {
  const explained = new Set<string>();
  for await (const file of glob("sql/**/*.sql", { cwd: projectFolder })) {
    const sql = await readFile(join(projectFolder, file), "utf8");
    for (const one of sql.split(/^create or replace function \w+\./m).slice(1)) {
      if (/^ {2}security definer -- .{20}/m.test(one)) explained.add(/^\w+/.exec(one)?.[0] ?? "");
    }
  }
  const { rows } = await superuser().query<{ name: string }>(
    `select p.proname as name
       from pg_proc p
       join pg_namespace n on n.oid = p.pronamespace
      where ${ours} and p.prosecdef and not ${isOfExtension}`,
  );
  expect(rows.length).toBeGreaterThan(20);
  return rows.map(({ name }) => name).filter((name) => !explained.has(name));
}

describe("the source of a function with the rights of its owner", () => {
  it("says why", async () => {
    expect(await withoutReason()).toEqual([]);
  });

  it("is missed where a function was made without one", async () => {
    await rolledBack(superuser(), async () => {
      await superuser().query(
        "create function private.feed() returns void language sql security definer return null",
      );
      expect(await withoutReason()).toEqual(["feed"]);
    });
  });
});
