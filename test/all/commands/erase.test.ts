import { randomUUID } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { spotOf, useBuilding } from "../../support/building.ts";
import { stored } from "../../support/rows.ts";
import { runCommand } from "./run.ts";

const building = useBuilding();

const erase = (id: string) =>
  runCommand("erase", [id], { OWNER_DATABASE_URL: building.database.url("parking_owner") });

describe("npm run erase", () => {
  it("erases the personal data of the person with the id", async () => {
    const person = await building.resident();
    await person.put("/profile", { full_name: "Zebedee" }, 200);

    expect(await erase(person.id)).toMatchObject({
      stdout: `The personal data of ${person.id} is erased.\n`,
    });

    expect(await stored(building, "profiles", person.id)).toMatchObject({
      email: `${person.id}@erased.invalid`,
      full_name: null,
      is_approved: false,
    });
  });

  it("lists where the whole name still stands, in whatever form, and changes none of it", async () => {
    const [person, other] = [await building.resident(), await building.resident()];
    await person.put("/profile", { full_name: 'Zo\u00eb "Z" Quux_1' }, 200);
    const notes = 'Ask ZOE\u0308 "Z" QUUX_1, not Zo\u00eb, nor Zo\u00eb "Z" QuuxA1'; // the first in NFD
    const spot = await spotOf(other);
    await other.put(`/parking-spots/${spot.id}`, { notes }, 200);
    const invitations = [
      { email: "old@home.example", full_name: 'Zo\u00eb "Z" Quux_1', apartment_number: "1" },
    ];
    await (await building.administrator()).post("/admin/invitations", { invitations }, 201);

    const { stdout } = await erase(person.id);

    const lines = stdout.trim().split("\n");
    expect(lines.slice(0, 2)).toEqual([
      `The personal data of ${person.id} is erased.`,
      "Their name still stands in what others wrote. See to these:",
    ]);
    expect(lines).toContain(`parking.spots ${spot.id} notes: ${JSON.stringify(notes)}`);
    expect(lines.filter((line) => line.startsWith("parking.invitations"))).toHaveLength(1);
    expect(stdout).not.toContain("profiles");
    expect(await stored(building, "spots", spot.id)).toMatchObject({ notes });
  });

  it.each([randomUUID(), "nobody", "' or true --"])("refuses %s", async (id) => {
    expect(await erase(id)).toMatchObject({
      code: 1,
      stderr: `Nobody has registered with the id ${id}\n`,
    });
  });
});
