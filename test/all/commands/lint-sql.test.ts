import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "@jest/globals";
import { lintSql } from "../../../src/migrations/lint-sql.ts";
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
const pets = (text: string) => `create table parking.pets (id uuid);
  comment on table parking.pets is E'${text}\\nWho lives here.';`;

const RULE = "sql/claims/rules/claims_are_short.sql";
const TABLE = "sql/pets/table.sql";
const FEED = "sql/pets/feed.sql";
const HOUSE = "sql/house/claims_are_short.sql";

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
  [HOUSE, "create or replace function private.enforce_short() returns trigger language c;"],
];

/** A file, and what lint says of it; a line where it is not the whole file. */
const refused: readonly (readonly [problem: string, file: string, sql: string, line?: number])[] = [
  [
    "a comment has an unknown tag: @staus 409",
    RULE,
    rule("claims_are_short", "@staus 409\\nShort"),
  ],
  [
    "a comment has an unknown tag: @status 200",
    RULE,
    rule("claims_are_short", "@status 200\\nShort"),
  ],
  ["a comment has an unknown tag: @statos 404", TABLE, pets("@statos 404")],
  [
    "no constraint, index, policy or trigger claims_are_short has a comment",
    RULE,
    check("claims_are_short"),
  ],
  [
    "no constraint, index, policy or trigger claims_are_short has a comment",
    RULE,
    rule("claims_are_long"),
  ],
  [
    "no constraint, index, policy or trigger claims_are_short has a comment",
    HOUSE,
    check("claims_are_short"),
  ],
  [
    '"v_unknown" is not a known variable',
    FEED,
    `create function api.feed() returns integer
  language plpgsql
as $$ begin v_unknown := 1; return 1; end $$;`,
    1,
  ],
  ['syntax error at or near "creat"', TABLE, "select 1;\n\ncreat table x ();", 3],
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
