import { describe, expect, it } from "@jest/globals";
import { Pool } from "pg";
import { greetingOf } from "../../src/pages/greeting.ts";

describe("the greeting of a building", () => {
  it("is empty while no database answers, so that the page can still be shown", async () => {
    const pool = new Pool({ host: "127.0.0.1", port: 1, connectionTimeoutMillis: 1_000 });
    const greeting = greetingOf(pool);

    expect(await greeting()).toBe("{}");
    await pool.end();
  });
});
