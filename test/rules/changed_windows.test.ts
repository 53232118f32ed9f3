import { describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { notGranted, refusedBy } from "./support.ts";

const building = useBuilding();

describe("changed_windows_kind_is_known", () => {
  it("refuses another kind", async () => {
    const { id } = await building.resident();
    await expect(
      building.rows("select private.count_changed_windows($1, 'wish', 1)", [id]),
    ).rejects.toMatchObject(refusedBy("changed_windows_kind_is_known"));
  });
});

it("is not for the API role", async () => {
  const person = await building.resident();
  for (const statement of [
    "table private.changed_windows",
    `select private.count_changed_windows('${person.id}', 'pattern', 1)`,
  ])
    expect(await person.sqlError(statement)).toMatchObject(notGranted);
});
