import { describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { notGranted, refusedBy } from "./support.ts";

const building = useBuilding();

describe("page_files_name_has_a_hash", () => {
  const keep = (name: string) =>
    `insert into private.page_files (name, content, release) values ('${name}', 'x', 1)`;

  it("refuses a name without one", async () => {
    const rule = refusedBy("page_files_name_has_a_hash", "23514");
    for (const name of ["main.js", "../main.ABCDEFGH.js", ".ABCDEFGH.js", ""])
      await expect(building.rows(keep(name))).rejects.toMatchObject(rule);
  });

  it("takes one with it, which only the owner of the database could write", async () => {
    await building.rows(keep("main.ABCDEFG2.js"));
    expect(
      await (await building.administrator()).sqlError(keep("other.ABCDEFG2.js")),
    ).toMatchObject(notGranted);
  });
});
