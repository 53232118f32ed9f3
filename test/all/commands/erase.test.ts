import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { projectFolder } from "../../../src/project-folder.ts";
import { useBuilding } from "../../support/building.ts";
import { environment } from "../../support/environment.ts";
import { stored } from "../../support/rows.ts";

const building = useBuilding();

const erase = (id: string) =>
  promisify(execFile)(process.execPath, ["src/commands/erase.ts", id], {
    cwd: projectFolder,
    env: { ...environment, OWNER_DATABASE_URL: building.database.url("parking_owner") },
  });

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

  it.each([randomUUID(), "nobody", "' or true --"])("refuses %s", async (id) => {
    await expect(erase(id)).rejects.toMatchObject({
      code: 1,
      stderr: `Nobody has registered with the id ${id}\n`,
    });
  });
});
