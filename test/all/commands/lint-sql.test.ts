import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "@jest/globals";
import { lintSql } from "../../../src/migrations/lint/lint-sql.ts";
import { projectFolder } from "../../../src/project-folder.ts";
import { holdsForAll } from "../../support/table.ts";

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
const rule = (name: string, text = "A claim is short") => `${check(name)}\n${comment(name, text)}`;
const feed = (definition: string) => `create function api.feed() returns integer ${definition};
  comment on function api.feed is 'Feeds.';`;
const pets = (text: string) => `create table parking.pets (id uuid);
  comment on table parking.pets is E'${text}\\nWho lives here.';`;

const RULE = "sql/claims/rules/claims_are_short.sql";
const TABLE = "sql/pets/table.sql";
const FEED = "sql/pets/feed.sql";

it("finds nothing wrong with the project", async () => {
  expect(await lintSql(projectFolder)).toEqual([]);
});

const accepted: readonly (readonly [file: string, sql: string])[] = [
  [RULE, rule("claims_are_short", "@status 409\\n@field end_time\\nA claim is short")],
  [RULE, comment("claims_are_short", "A claim is short")],
  [
    "sql/spots/rules/account_required.sql",
    `drop policy if exists account_required on parking.spots;
     create policy account_required on parking.spots as restrictive to parking_api using (true);
     comment on policy account_required on parking.spots is 'Account required';`,
  ],
  [TABLE, pets("@absent Pet not found")],
];

/** A file, and what lint says of it; a line where it is not the whole file. */
const refused: readonly (readonly [problem: string, file: string, sql: string, line?: number])[] = [
  [
    "the comment on claims_are_short has the unknown tag @staus",
    RULE,
    rule("claims_are_short", "@staus 409\\nShort"),
  ],
  [
    "the comment on claims_are_short has a wrong value: @status 200",
    RULE,
    rule("claims_are_short", "@status 200\\nShort"),
  ],
  ["the comment on pets has the unknown tag @status", TABLE, pets("@status 404")],
  ["the rule claims_are_short has no comment", RULE, check("claims_are_short")],
  ["the rule claims_are_short has no comment", RULE, rule("claims_are_short", "@status 409")],
  ["the rule claims_are_long is not in a file of its name", RULE, rule("claims_are_long")],
  [
    "the rule claims_ł is not named in a to z, 0 to 9 and _",
    "sql/claims/rules/claims_ł.sql",
    rule("claims_ł"),
  ],
  [
    "the rule Claims are short is not named in a to z, 0 to 9 and _",
    "sql/claims/rules/Claims are short.sql",
    rule('"Claims are short"'),
  ],
  [
    "makes more than one rule: claims_are_short, claims_are_long",
    RULE,
    `${check("claims_are_short")}\n${check("claims_are_long")}\n${comment("claims_are_short", "Short")}`,
  ],
  ["makes no constraint, index, trigger or policy", RULE, "select 1;"],
  [
    "the rule claims_are_short has no file of its own in rules/",
    "sql/claims/table.sql",
    rule("claims_are_short"),
  ],
  [
    "the rule claims_are_short is not in a file of its name",
    "sql/house/short.sql",
    rule("claims_are_short"),
  ],
  ["the table pets has no comment", TABLE, "create table parking.pets (id uuid);"],
  ["the view pets has no comment", "sql/pets/view.sql", "create view reporting.pets as select 1;"],
  [
    "the function feed has no comment",
    FEED,
    "create function api.feed() returns integer language sql\nreturn 1;",
  ],
  ["feed is not in a file of its name", "sql/pets/pets.sql", feed("language sql\nreturn 1")],
  ["feed does not set search_path = ''", FEED, feed("language sql as 'select 1'")],
  [
    "feed is security definer and does not say why",
    FEED,
    feed("language sql security definer\nreturn 1"),
  ],
  [
    '"v_unknown" is not a known variable',
    FEED,
    feed(
      "\n  language plpgsql\n  set search_path = ''\nas $$ begin v_unknown := 1; return 1; end $$",
    ),
    1,
  ],
  ['syntax error at or near "creat"', TABLE, "select 1;\n\ncreat table x ();", 3],
  ["white space at the end of a line", RULE, rule("claims_are_short", "Short \n")],
];

it("accepts rules with their comment, and a test of the house beside its rule", async () => {
  await holdsForAll(accepted, async ([file, sql]) =>
    expect(await problemsOf({ [file]: sql })).toEqual([]),
  );
  const tested = { "sql/all.sql": "-- none", "sql/house/x.test.sql": "select 1" };
  expect(await problemsOf(tested)).toEqual([]);
});

it("refuses what breaks a convention, and says where", () =>
  holdsForAll(refused, async ([problem, file, sql, line]) =>
    expect(await problemsOf({ [file]: sql })).toEqual([
      `${line === undefined ? file : `${file}:${line}`}: ${problem}`,
    ]),
  ));

it("refuses a file that sql/all.sql does not include, and a second one with the same function", async () => {
  expect(await problemsOf({ "sql/all.sql": "-- none", [RULE]: rule("claims_are_short") })).toEqual([
    `${RULE}: sql/all.sql does not include it`,
  ]);
  const sql = `create or replace function private.one() returns integer language sql
  set search_path = ''
return 1;
comment on function private.one is 'One.';
`;
  expect(await problemsOf({ "sql/claims/one.sql": sql, "sql/spots/one.sql": sql })).toEqual([
    "sql/spots/one.sql: the function private.one is made by sql/claims/one.sql too",
  ]);
});
