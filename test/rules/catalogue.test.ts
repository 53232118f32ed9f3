import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { eventTypes, subjects, webhookTypes } from "../../src/contract/events.ts";
import { projectFolder } from "../../src/project-folder.ts";
import { useBuilding } from "../support/building.ts";

const building = useBuilding();

/** The words of all other tests: a rule's name is one of them. */
const words = new Set(
  globSync("**/*.ts", { cwd: join(projectFolder, "test") })
    .filter((file) => ![basename(import.meta.filename), "refusals.ts"].includes(basename(file)))
    .flatMap((file) => readFileSync(join(projectFolder, "test", file), "utf8").match(/\w+/g) ?? []),
);

interface RuleFile {
  readonly table: string;
  readonly name: string;
  readonly path: string;
}

/** Every file sql/<table>/rules/<name>.sql. */
const ruleFiles: readonly RuleFile[] = globSync("sql/*/rules/*", { cwd: projectFolder }).map(
  (path) => ({
    path,
    table: basename(dirname(dirname(path))),
    name: basename(path, ".sql"),
  }),
);

/** The rules of many tables, which one file makes. */
const sharedRules = Array.from(
  readFileSync(join(projectFolder, "sql/rights/account_required.sql"), "utf8").matchAll(
    /^ +'(\w+_required)',$[^[]*\[([^\]]+)\]/gm,
  ),
).flatMap(([, name = "", tables = ""]) =>
  (tables.match(/\w+/g) ?? []).map((table) => ({ table, name })),
);

const byTableAndName = <Rule extends Pick<RuleFile, "table" | "name">>(rules: readonly Rule[]) =>
  rules.map(({ table, name }) => `${table}: ${name}`).sort();

describe("the rule catalogue", () => {
  const allRules = () =>
    building.rows<{ name: string; table: string }>('select name, "table" from private.rules');

  it("has each rule's name in a test", async () => {
    expect((await allRules()).filter(({ name }) => !words.has(name))).toEqual([]);
  });

  it("has exactly the rules that have a file in sql/<table>/rules, or are those of many tables", async () => {
    expect(sharedRules.length).toBeGreaterThan(10);
    expect(byTableAndName(await allRules())).toEqual(
      byTableAndName([...ruleFiles, ...sharedRules]),
    );
  });

  it.each(ruleFiles)(
    "has the rule of $path under the name of the file",
    ({ path, table, name }) => {
      const text = readFileSync(join(projectFolder, path), "utf8");
      const commented = text.matchAll(/^comment on (?:constraint|index|policy|trigger) (.+) is$/gm);
      expect([
        [`${name} on parking.${table}`],
        [`${name} on private.${table}`],
        [`parking.${name}`],
        [`private.${name}`],
        [`${name} on domain private.${table}`],
      ]).toContainEqual(Array.from(commented, ([, object]) => object));
    },
  );

  it("has a message for every object that can refuse", async () => {
    const withoutMessage = await building.rows(
      `select o.name
         from (
           -- A primary or unique key is a rule where it has the name of one.
           select c.conname, c.conrelid
             from pg_constraint c
            where c.coninhcount = 0
              and (
                c.contype in ('c', 'f', 'x')
                or c.contype in ('p', 'u') and c.conname !~ '_p?key$'
              )
           union all
           select i.relname, x.indrelid
             from pg_index x
             join pg_class i on i.oid = x.indexrelid
            where x.indisunique
              and not exists (select from pg_constraint c where c.conindid = x.indexrelid)
           union all
           select t.tgname, t.tgrelid
             from pg_trigger t
             join pg_proc p on p.oid = t.tgfoid
            where not t.tgisinternal
              and p.prosrc ~ 'private\\.refuse\\(tg_name'
           union all
           -- A policy gives its name to a refusal if it is restrictive, or has the name of a rule.
           select p.polname, p.polrelid
             from pg_policy p
            where not p.polpermissive
               or p.polname ~ ('^' || (select t.relname from pg_class t where t.oid = p.polrelid))
         ) as o (name, table_id)
         join pg_class t on t.oid = o.table_id
        where t.relnamespace in ('parking'::regnamespace, 'private'::regnamespace)
          and not exists (
            select from private.rules r
             where (r.name, r."table") = (o.name::text, t.relname::text)
               and r.message <> ''
          )`,
    );
    expect(withoutMessage).toEqual([]);
  });

  it("knows every name that a function refuses under", async () => {
    const unknown = await building.rows(
      `select p.proname, refused[1] as rule
         from pg_proc p,
              regexp_matches(
                p.prosrc,
                'private\\.refuse(?:\\(|_unchanged\\(\\s*''\\w+'', )''(\\w+)''', 'g'
              ) refused
        where not exists (select from private.rules r where r.name = refused[1])`,
    );
    expect(unknown).toEqual([]);
  });

  it("has one status, field and message for each name", async () => {
    const ambiguous = await building.rows(
      `select name
         from private.rules
        group by name
       having count(distinct (status, field, message)) > 1`,
    );
    expect(ambiguous).toEqual([]);
  });

  it("names fields that the rule's table has", async () => {
    const odd = await building.rows(
      `select r.name, r.field
         from private.rules r
        where r.field is not null
          and not exists (
            select from pg_attribute a
              join pg_class t on t.oid = a.attrelid
              left join pg_type d on d.typbasetype = t.reltype
             where (coalesce(d.typname, t.relname), a.attname) = (r."table", r.field)
          )`,
    );
    expect(odd).toEqual([]);
  });

  it("has only tags that the view can read", async () => {
    const unread = await building.rows(
      `select tag
         from pg_description d, regexp_split_to_table(d.description, '\\n') tag
        where d.classoid in ('pg_constraint'::regclass, 'pg_class'::regclass,
                             'pg_trigger'::regclass, 'pg_policy'::regclass)
          and tag ~ '^@(status|field)\\M'
          and tag !~ '^@(status 4\\d\\d|field \\w+)$'`,
    );
    expect(unread).toEqual([]);
  });
});

it("each command has a file of its name", async () => {
  const commands = await building.rows<{ name: string }>(
    `select distinct p.proname as name from pg_proc p
      where p.pronamespace = 'api'::regnamespace and p.provolatile = 'v'`,
  );
  const files = new Set(
    globSync("sql/*/*.sql", { cwd: projectFolder }).map((path) => basename(path, ".sql")),
  );
  expect(commands.length).toBeGreaterThan(40);
  expect(commands.filter(({ name }) => !files.has(name))).toEqual([]);
});

it("the types of events that are described are those that the database knows", async () => {
  const [row] = await building.rows<{ source: string }>(
    "select prosrc as source from pg_proc where oid = 'private.is_event_type'::regproc",
  );
  const known = [...(row?.source ?? "").matchAll(/'([a-z]+\.[a-z]+)'/g)].map(([, type]) => type);
  expect(known.toSorted()).toEqual(Object.keys(eventTypes).toSorted());
});

it("docs/events.md has each type: what happened, what its data is, whether webhooks get it", () => {
  const toWebhooks: readonly string[] = webhookTypes;
  const rows = Object.entries(eventTypes).map(([type, about]) => {
    const data = subjects[type.split(".")[0] ?? ""]?.title ?? "";
    return `| \`${type}\` | ${about} | ${data} | ${toWebhooks.includes(type) ? "yes" : "no"} |\n`;
  });
  const page = readFileSync(join(projectFolder, "docs/events.md"), "utf8");
  expect(page).toContain(`| --- |\n${rows.join("")}\n`);
});

it("the types that a webhook may have are those of which administrators see the subject", async () => {
  const rows = await building.rows<{ type: string }>(
    "select type from unnest($1::text[]) type where private.are_webhook_types(array[type])",
    [Object.keys(eventTypes)],
  );
  expect(rows.map(({ type }) => type)).toEqual(webhookTypes);
});
