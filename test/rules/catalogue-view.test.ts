import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { escapeLiteral } from "pg";
import { useBuilding } from "../support/building.ts";

const building = useBuilding();

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
      create policy probe_h_policy on private.probe;
      create domain parking.probe as integer constraint probe_i_domain check (value > 0)`),
  );
  afterAll(() => building.rows("drop table private.probe; drop domain parking.probe"));

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
      comment on policy probe_h_policy on private.probe is 'h';
      comment on constraint probe_i_domain on domain parking.probe is 'i'`);
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
      { name: "probe_i_domain", kind: "domain", message: "i", status: 400, field },
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
      what: "an unknown tag",
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
      what: "a status that is not 4xx",
      comment: "@status 200\nText",
      status: 400,
      field: null,
      message: "Text",
    },
    { what: "tags alone", comment: "@status 409", status: 409, field: null, message: null },
    {
      what: "a tag after the first line of text",
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
