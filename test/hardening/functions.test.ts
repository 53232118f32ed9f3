import { glob, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { projectFolder } from "../../src/project-folder.ts";
import { rolledBack } from "../support/sql.ts";
import { describeChecks, isOfExtension, ours, ownDatabase } from "./check.ts";

/** Views that are no window on their base tables for the caller, and why. */
const AS_OWNER = {
  "parking.contacts": "residents see a part of others' profiles; its conditions are the policy",
};

describeChecks("a function with the rights of its owner", [
  {
    title: "is private, and has an empty search path",
    offenders: `
      select p.oid::regprocedure::text as name
        from pg_proc p
        join pg_namespace n on n.oid = p.pronamespace
       where ${ours}
         and p.prosecdef
         and (n.nspname = 'private' and 'search_path=""' = any (p.proconfig)) is not true`,
    breaks: {
      "alter function private.is_approved() reset search_path": "private.is_approved()",
      "alter function private.is_approved() set search_path = public": "private.is_approved()",
      "alter function api.get_dashboard() security definer": "api.get_dashboard()",
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
    if (/^ {2}security definer -- .{20}/m.test(sql)) explained.add(basename(file, ".sql"));
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
