import { describe, expect, it, jest } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { ask, send } from "./ask.ts";

const building = useBuilding();
const resident = building.shared("resident");

describe("a schema that the first request cannot make", () => {
  it("is a failure of the service, and a request some seconds later makes it", async () => {
    await building.rows("alter table parking.notifications rename to hidden");
    const failed = {
      status: 500,
      body: {
        errors: [
          {
            message: "Internal server error",
            extensions: { code: "internal_error", status: 500 },
          },
        ],
      },
    };
    const real = performance.now.bind(performance);
    const failedAt = real();
    const clock = jest.spyOn(performance, "now").mockImplementation(() => failedAt);
    try {
      const query = "{ ownProfile { id } }";
      expect(await send(building, resident, query)).toMatchObject(failed);
      await building.rows("alter table parking.hidden rename to notifications");
      // It takes a second of the processor, so it is not tried for each request.
      expect(await send(building, resident, query)).toMatchObject(failed);
      clock.mockImplementation(() => real() + 10_000);
      expect(await ask(building, resident, query)).toEqual({ ownProfile: { id: resident.id } });
    } finally {
      clock.mockRestore();
    }
  });
});
