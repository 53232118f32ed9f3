import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "@jest/globals";
import { lintSql } from "../../../src/migrations/lint/lint-sql.ts";
import { projectFolder } from "../../../src/project-folder.ts";

/** What lint says of a project that has these files; sql/all.sql includes them all unless it is given. */
async function problemsOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "parking-lint-"));
  const includes = Object.keys(files).map((file) => `--!include ${file.slice("sql/".length)}\n`);
  try {
    for (const [file, sql] of Object.entries({ "sql/all.sql": includes.join(""), ...files })) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), sql);
    }
    return await lintSql(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const check = (name: string) => `
  alter table parking.claims
    drop constraint if exists ${name},
    add constraint ${name} check (end_time > start_time);`;
const comment = (name: string, text: string) =>
  `comment on constraint ${name} on parking.claims is E'${text}';\n`;

const RULE = "sql/claims/rules/claims_are_short.sql";
const rule = (text: string) => ({
  [RULE]: `${check("claims_are_short")}\n${comment("claims_are_short", text)}`,
});

it("finds nothing wrong with the project", async () => {
  expect(await lintSql(projectFolder)).toEqual([]);
});

it.each([
  ["a check", rule("@status 409\\n@field end_time\\nA claim is short")],
  [
    "a restrictive policy",
    {
      "sql/spots/rules/account_required.sql": `
        drop policy if exists account_required on parking.spots;
        create policy account_required on parking.spots as restrictive to parking_api using (true);
        comment on policy account_required on parking.spots is 'Account required';`,
    },
  ],
  [
    "a comment that makes a rule of a key",
    { [RULE]: comment("claims_are_short", "A claim is short") },
  ],
  [
    "a table with the tag of its absent rows",
    {
      "sql/pets/table.sql": `create table parking.pets (id uuid);
        comment on table parking.pets is E'@absent Pet not found\\nWho lives here.';`,
    },
  ],
  [
    "a test of the house beside its rule",
    { "sql/all.sql": "-- none", "sql/house/x.test.sql": "select 1" },
  ],
])("accepts %s", async (_case, files) => {
  expect(await problemsOf(files)).toEqual([]);
});

it.each([
  [
    "an unknown tag",
    rule("@staus 409\\nShort"),
    "the comment on claims_are_short has the unknown tag @staus",
  ],
  [
    "a status that is no refusal",
    rule("@status 200\\nShort"),
    "the comment on claims_are_short has a wrong value: @status 200",
  ],
  [
    "a tag of rules on a table",
    {
      "sql/pets/table.sql": `create table parking.pets (id uuid);
        comment on table parking.pets is E'@status 404\\nWho lives here.';`,
    },
    "the comment on pets has the unknown tag @status",
  ],
  [
    "a rule without a comment",
    { [RULE]: check("claims_are_short") },
    "the rule claims_are_short has no comment",
  ],
  [
    "a rule whose comment is tags only",
    rule("@status 409"),
    "the rule claims_are_short has no comment",
  ],
  [
    "a rule in a file of another name",
    {
      [RULE]: `${check("claims_are_long")}\n${comment("claims_are_long", "A claim is long")}`,
    },
    "the rule claims_are_long is not in a file of its name",
  ],
  [
    "a rule whose name has other characters than a header",
    {
      "sql/claims/rules/claims_ł.sql": `${check("claims_ł")}\n${comment("claims_ł", "A claim is short")}`,
    },
    "the rule claims_ł is not named in a to z, 0 to 9 and _",
  ],
  [
    "a rule whose name needs quotes",
    {
      "sql/claims/rules/Claims are short.sql": `${check('"Claims are short"')}\n${comment('"Claims are short"', "Short")}`,
    },
    "the rule Claims are short is not named in a to z, 0 to 9 and _",
  ],
  [
    "two rules in a file",
    {
      [RULE]: `${check("claims_are_short")}\n${check("claims_are_long")}\n${comment("claims_are_short", "Short")}`,
    },
    "makes more than one rule: claims_are_short, claims_are_long",
  ],
  [
    "a file of rules/ without a rule",
    { [RULE]: "select 1;" },
    "makes no constraint, index, trigger or policy",
  ],
  [
    "a rule outside of rules/",
    {
      "sql/claims/table.sql": `${check("claims_are_short")}\n${comment("claims_are_short", "Short")}`,
    },
    "the rule claims_are_short has no file of its own in rules/",
  ],
  [
    "a rule of the house in a file of another name",
    {
      "sql/house/short.sql": `${check("claims_are_short")}\n${comment("claims_are_short", "Short")}`,
    },
    "the rule claims_are_short is not in a file of its name",
  ],
  [
    "a file that sql/all.sql does not include",
    {
      "sql/all.sql": "-- none",
      ...rule("A claim is short"),
    },
    "sql/all.sql does not include it",
  ],
  [
    "a table without a comment",
    { "sql/pets/table.sql": "create table parking.pets (id uuid);" },
    "the table pets has no comment",
  ],
  [
    "a view without a comment",
    { "sql/pets/view.sql": "create view reporting.pets as select 1;" },
    "the view pets has no comment",
  ],
  [
    "a function without a comment",
    {
      "sql/pets/feed.sql": "create function api.feed() returns integer language sql\nreturn 1;",
    },
    "the function feed has no comment",
  ],
  [
    "a command in a file of another name",
    {
      "sql/pets/pets.sql": `create function api.feed() returns integer language sql\nreturn 1;
        comment on function api.feed is 'Feeds.';`,
    },
    "feed is not in a file of its name",
  ],
  [
    "a function without a search path",
    {
      "sql/pets/feed.sql": `create function api.feed() returns integer language sql as 'select 1';
        comment on function api.feed is 'Feeds.';`,
    },
    "feed does not set search_path = ''",
  ],
  [
    "an unexplained security definer",
    {
      "sql/pets/feed.sql": `create function api.feed() returns integer language sql security definer\nreturn 1;
        comment on function api.feed is 'Feeds.';`,
    },
    "feed is security definer and does not say why",
  ],
  [
    "a variable that a body does not declare",
    {
      "sql/pets/feed.sql": `create function api.feed()
  returns void
  language plpgsql
  set search_path = ''
as $$ begin v_unknown := 1; end $$;
        comment on function api.feed is 'Feeds.';`,
    },
    '"v_unknown" is not a known variable',
    1,
  ],
  [
    "an error of syntax",
    { "sql/pets/table.sql": "select 1;\n\ncreat table x ();" },
    'syntax error at or near "creat"',
    3,
  ],
  ["white space at the end of a line", rule("Short \n"), "white space at the end of a line"],
])("refuses %s", async (_case, files, problem, line = 0) => {
  const file = Object.keys(files).at(-1);
  const place = line === 0 ? file : `${file}:${line}`;
  expect(await problemsOf(files)).toEqual([`${place}: ${problem}`]);
});

it("refuses a second file that makes the same function", async () => {
  const sql = `create or replace function private.one() returns integer language sql
  set search_path = ''
return 1;
comment on function private.one is 'One.';
`;
  expect(await problemsOf({ "sql/claims/one.sql": sql, "sql/spots/one.sql": sql })).toEqual([
    "sql/spots/one.sql: the function private.one is made by sql/claims/one.sql too",
  ]);
});
