import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { projectFolder } from "../../src/project-folder.ts";
import { useBuilding } from "../support/building.ts";
import { holdsForAll } from "../support/table.ts";

const building = useBuilding();

/** The words of the tests of rules and of REST: a rule that they try is named there. */
const words = new Set(
  globSync(["rules/*.test.ts", "rest/*.test.ts"], { cwd: join(import.meta.dirname, "..") })
    .filter((path) => !import.meta.filename.endsWith(path))
    .flatMap((path) => readFileSync(join(import.meta.dirname, "..", path), "utf8").match(/\w+/g)),
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

const byTableAndName = <Rule extends Pick<RuleFile, "table" | "name">>(rules: readonly Rule[]) =>
  rules.map(({ table, name }) => `${table}: ${name}`).sort();

describe("the rule catalogue", () => {
  const allRules = () =>
    building.rows<{ name: string; table: string }>('select name, "table" from private.rules');

  it("has no rule that no test of rules or of REST names", async () => {
    expect((await allRules()).filter(({ name }) => !words.has(name))).toEqual([]);
  });

  it("has exactly the rules that have a file in sql/<table>/rules", async () => {
    expect(byTableAndName(await allRules())).toEqual(byTableAndName(ruleFiles));
  });

  it("has each rule under the name of its file", () =>
    holdsForAll(ruleFiles, ({ path, table, name }) => {
      const text = readFileSync(join(projectFolder, path), "utf8");
      const commented = text.matchAll(/^comment on (?:constraint|index|policy|trigger) (.+) is$/gm);
      expect([
        [`${name} on parking.${table}`],
        [`${name} on private.${table}`],
        [`parking.${name}`],
        [`private.${name}`],
        [`${name} on domain private.${table}`],
      ]).toContainEqual(Array.from(commented, ([, object]) => object));
    }));

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

/** What the specification has clients rely on, to the letter. */
const promised: readonly (readonly [name: string, status: number, message: string])[] = [
  ["administrator_required", 403, "Administrator privileges required"],
  ["approved_account_required", 403, "Account not approved"],
  ["availabilities_claimed_are_not_deleted", 400, "Cannot delete a claimed availability"],
  ["availabilities_claimed_are_not_updated", 400, "Cannot update a claimed availability"],
  [
    "availabilities_created_by_spot_owner",
    403,
    "You can only create availabilities for your own spots",
  ],
  [
    "availabilities_deleted_by_spot_owner",
    403,
    "You can only delete availabilities for your own spots",
  ],
  [
    "availabilities_do_not_overlap",
    409,
    "Availability overlaps an existing availability of this spot",
  ],
  ["availabilities_of_a_spot", 404, "Parking spot not found"],
  ["availabilities_start_before_end", 400, "end_time must be after start_time"],
  ["availabilities_start_in_future", 400, "start_time must be in the future"],
  [
    "availabilities_updated_by_spot_owner",
    403,
    "You can only update availabilities for your own spots",
  ],
  ["claims_closed_stay_closed", 400, "Cannot change status from completed/cancelled"],
  ["claims_completed_are_not_deleted", 400, "Cannot delete a completed claim"],
  ["claims_deleted_by_claimer", 403, "You can only delete your own claims"],
  ["claims_not_by_owner", 403, "You cannot claim your own parking spot"],
  ["claims_of_an_availability", 404, "Availability not found"],
  ["claims_one_per_availability", 400, "This availability has already been claimed"],
  ["claims_start_before_end", 400, "end_time must be after start_time"],
  ["claims_start_in_future", 400, "start_time must be in the future"],
  ["claims_updated_by_claimer", 403, "You can only update your own claims"],
  ["claims_within_availability", 400, "Claim times must be within the availability window"],
  ["profiles_one_per_user", 409, "User profile already exists"],
  ["spots_deleted_by_owner", 403, "You can only delete your own parking spots"],
  ["spots_spot_number_is_unique", 409, "A parking spot with this number already exists"],
  ["spots_updated_by_owner", 403, "You can only update your own parking spots"],
  ["spots_with_active_claims_stay", 409, "Cannot delete a parking spot with active claims"],
];

it("the messages that clients rely on are these", () =>
  holdsForAll(promised, async ([name, status, message]) => {
    const texts = await building.rows(
      "select distinct status, message from private.rules where name = $1",
      [name],
    );
    expect(texts).toEqual([{ status, message }]);
  }));
