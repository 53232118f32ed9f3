import { describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { tryAt } from "../support/sql.ts";

const building = useBuilding();

/** Runs statements of a role in one transaction that may write, and rolls it back. */
const attempt = (role: Role, ...statements: readonly string[]): Promise<void> =>
  tryAt(building.database.url(role), async (client) => {
    await client.query("set transaction read write");
    for (const statement of statements) await client.query(statement);
  });

const roles = ["parking_api", "parking_reporter"] as const;
type Role = (typeof roles)[number];

describe.each(roles)("%s", (role) => {
  it.each([
    "select lo_create(0)",
    "select lo_creat(-1)",
    "select lo_from_bytea(0, 'x')",
    "select lo_open(1, 131072)",
    "select pg_advisory_lock(1)",
    "select pg_try_advisory_lock(1, 2)",
    "select pg_try_advisory_xact_lock(1)",
    "select pg_advisory_xact_lock_shared(1)",
    "select pg_logical_emit_message(false, 'x', 'x')",
  ])("may not: %s", async (statement) => {
    await expect(attempt(role, statement)).rejects.toMatchObject({ code: "42501" });
  });

  it("cannot connect to the databases that every cluster has", async () => {
    for (const database of ["postgres", "template1"]) {
      const url = new URL(building.database.url(role));
      url.pathname = `/${database}`;
      await expect(tryAt(url.href, async () => {})).rejects.toMatchObject({ code: "42501" });
    }
  });
});

describe("parking_api", () => {
  it("stops no administrator with an advisory lock, where it may still take one", async () => {
    const administrator = await building.administrator();
    const resident = await building.resident();
    await tryAt(building.database.url("postgres"), async (client) => {
      await client.query("select pg_advisory_xact_lock(hashtext('lock_administrators'))");
      await administrator.put(`/admin/profiles/${resident.id}`, { is_approved: false }, 200);
    });
  });
});
