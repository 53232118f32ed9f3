import { beforeAll, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { ask, send } from "./ask.ts";

const building = useBuilding();
let resident: Person;
beforeAll(async () => {
  resident = await building.resident();
});

describe("a schema that the first request cannot make", () => {
  it("is a failure of the service, and the next request makes it", async () => {
    await building.rows("alter table parking.notifications rename to hidden");
    const { status, body } = await send(building, resident, "{ ownProfile { id } }");
    expect({ status, body }).toEqual({
      status: 500,
      body: {
        errors: [
          {
            message: "Internal server error",
            extensions: { code: "internal_error", status: 500 },
          },
        ],
      },
    });

    await building.rows("alter table parking.hidden rename to notifications");
    const data = await ask(building, resident, "{ ownProfile { id } }");
    expect(data).toEqual({ ownProfile: { id: resident.id } });
  });
});
