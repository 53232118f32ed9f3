import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { escapeLiteral } from "pg";
import { type Building, openBuilding } from "../support/building.ts";

let building: Building;
beforeAll(async () => {
  building = await openBuilding();
});
afterAll(() => building.close());

/** The rules that the files named after a table describe. */
function describedFor(table: string): ReadonlySet<string> {
  const files = readdirSync(import.meta.dirname).filter((file) => file.startsWith(table));
  const sources = files.map((file) => readFileSync(join(import.meta.dirname, file), "utf8"));
  const described = sources.join("").matchAll(/^describe\("(\w+)"/gm);
  return new Set(Array.from(described, ([, name = ""]) => name));
}

describe("the rule catalogue", () => {
  it("has for every rule a describe of its name in the tests of its table", async () => {
    const rules = await building.rows<{ name: string; table: string }>(
      'select name, "table" from private.rules',
    );
    const untested = rules.filter(({ name, table }) => !describedFor(table).has(name));
    expect(untested).toEqual([]);
  });

  it("has a message for whatever can refuse", async () => {
    const silent = await building.rows(
      `select o.name
         from (
           -- A primary or unique key is a rule where it has the name of one.
           select c.conname, c.conrelid
             from pg_constraint c
            where c.contype in ('c', 'f', 'x')
               or c.contype in ('p', 'u') and c.conname !~ '_p?key$'
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
              and p.prosrc ~ 'private\\.refuse\\('
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
    expect(silent).toEqual([]);
  });

  it("knows every name that a function refuses under", async () => {
    const unknown = await building.rows(
      `select p.proname, refused[1] as rule
         from pg_proc p,
              regexp_matches(p.prosrc, 'private\\.refuse\\(''(\\w+)''', 'g') refused
        where not exists (select from private.rules r where r.name = refused[1])`,
    );
    expect(unknown).toEqual([]);
  });

  it("says the same under the same name", async () => {
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
             where (t.relname, a.attname) = (r."table", r.field)
          )`,
    );
    expect(odd).toEqual([]);
  });

  it("reads every tag of its own that there is", async () => {
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

describe("the texts of the specification and of the decisions", () => {
  it.each([
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
  ])("%s", async (name, status, message) => {
    const texts = await building.rows(
      "select distinct status, message from private.rules where name = $1",
      [name],
    );
    expect(texts).toEqual([{ status, message }]);
  });
});

describe("private.rules", () => {
  const probed = () =>
    building.rows(
      `select name, kind, status, field, message
         from private.rules
        where "table" = 'probe'
        order by name`,
    );
  beforeAll(() =>
    building.rows(`
      create table private.probe (
        id integer constraint probe_a_check check (id > 0),
        constraint probe_b_primary_key primary key (id),
        other integer constraint probe_c_unique unique,
        constraint probe_d_foreign_key foreign key (id) references private.probe,
        constraint probe_e_exclusion exclude (id with =)
      );
      create unique index probe_f_unique_index on private.probe (id);
      create trigger probe_g_trigger
        before insert on private.probe
        for each row execute function private.enforce_rule();
      create policy probe_h_policy on private.probe`),
  );
  afterAll(() => building.rows("drop table private.probe"));

  it("holds nothing that has no comment", async () => {
    expect(await probed()).toEqual([]);
  });

  it("holds every kind of object that can refuse", async () => {
    await building.rows(`
      comment on constraint probe_a_check on private.probe is 'a';
      comment on constraint probe_b_primary_key on private.probe is 'b';
      comment on constraint probe_c_unique on private.probe is 'c';
      comment on constraint probe_d_foreign_key on private.probe is 'd';
      comment on constraint probe_e_exclusion on private.probe is 'e';
      comment on index private.probe_f_unique_index is 'f';
      comment on trigger probe_g_trigger on private.probe is 'g';
      comment on policy probe_h_policy on private.probe is 'h'`);
    const field = null;

    expect(await probed()).toEqual([
      { name: "probe_a_check", kind: "check", message: "a", status: 400, field },
      { name: "probe_b_primary_key", kind: "primary key", message: "b", status: 409, field },
      { name: "probe_c_unique", kind: "unique", message: "c", status: 409, field },
      { name: "probe_d_foreign_key", kind: "foreign key", message: "d", status: 400, field },
      { name: "probe_e_exclusion", kind: "exclusion", message: "e", status: 409, field },
      { name: "probe_f_unique_index", kind: "unique index", message: "f", status: 409, field },
      { name: "probe_g_trigger", kind: "trigger", message: "g", status: 400, field },
      { name: "probe_h_policy", kind: "policy", message: "h", status: 403, field },
    ]);
  });

  it.each([
    { what: "no tag", comment: "Text", status: 400, field: null, message: "Text" },
    { what: "a status", comment: "@status 403\nText", status: 403, field: null, message: "Text" },
    { what: "a field", comment: "@field id\nText", status: 400, field: "id", message: "Text" },
    {
      what: "a status and a field",
      comment: "@status 409\n@field id\nText",
      status: 409,
      field: "id",
      message: "Text",
    },
    {
      what: "a field and a status",
      comment: "@field id\n@status 409\nText",
      status: 409,
      field: "id",
      message: "Text",
    },
    {
      what: "a tag that nobody knows",
      comment: "@since 2\n@status 409\nText",
      status: 409,
      field: null,
      message: "Text",
    },
    {
      what: "two lines of text",
      comment: "@field id\nTwo\nlines",
      status: 400,
      field: "id",
      message: "Two\nlines",
    },
    { what: "an @ in the text", comment: "a@b", status: 400, field: null, message: "a@b" },
    {
      what: "a status that is no refusal's",
      comment: "@status 200\nText",
      status: 400,
      field: null,
      message: "Text",
    },
    { what: "tags alone", comment: "@status 409", status: 409, field: null, message: null },
    {
      what: "in the text what looks like a tag",
      comment: "Text\n@status 409",
      status: 400,
      field: null,
      message: "Text\n@status 409",
    },
  ])("reads a comment with $what", async ({ what: _, comment, ...parts }) => {
    await building.rows(
      `comment on constraint probe_a_check on private.probe is ${escapeLiteral(comment)}`,
    );
    expect(await probed()).toContainEqual({ name: "probe_a_check", kind: "check", ...parts });
  });
});
