import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { escapeLiteral } from "pg";
import { useBuilding } from "../support/building.ts";
import { holdsForAll } from "../support/table.ts";

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

  it("reads the tags in the first lines of a comment", () =>
    holdsForAll<readonly [string, status: number, field: string | null, string | null]>(
      [
        ["Text", 400, null, "Text"],
        ["@status 403\nText", 403, null, "Text"],
        ["@field id\nText", 400, "id", "Text"],
        ["@status 409\n@field id\nText", 409, "id", "Text"],
        ["@field id\n@status 409\nText", 409, "id", "Text"],
        ["@since 2\n@status 409\nText", 409, null, "Text"],
        ["@field id\nTwo\nlines", 400, "id", "Two\nlines"],
        ["a@b", 400, null, "a@b"],
        ["@status 200\nText", 400, null, "Text"],
        ["@status 409", 409, null, null],
        ["Text\n@status 409", 400, null, "Text\n@status 409"],
      ],
      async ([comment, status, field, message]) => {
        await building.rows(
          `comment on constraint probe_a_check on private.probe is ${escapeLiteral(comment)}`,
        );
        const name = "probe_a_check";
        expect(await probed()).toContainEqual({ name, kind: "check", status, field, message });
      },
    ));
});
