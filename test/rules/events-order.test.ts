import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { withClient } from "../../src/database/client.ts";
import { projectFolder } from "../../src/project-folder.ts";
import { hours, spotOf, useBuilding, windowOf } from "../support/building.ts";

const building = useBuilding();

/** What the service does for nobody in particular. */
const order = async (most = 1_000): Promise<string | null> => {
  const sql = "select private.order_events($1) as position";
  const { rows } = await building.service.pool.query<{ position: string | null }>(sql, [most]);
  return rows[0]?.position ?? null;
};

interface Placed {
  readonly id: string;
  readonly type: string;
  readonly position: string | null;
}
const placed = () =>
  building.rows<Placed>(
    "select id, type, position from private.events where position is not null order by position",
  );

const record =
  "insert into private.new_events (type, subject_id, data) values ($1, uuidv7(), '{}')";

describe("private.order_events", () => {
  it("gives each event one position, in the order of their time, without gaps", async () => {
    const owner = await building.resident();
    await windowOf(owner, await spotOf(owner));
    const waiting = await building.rows("select id from private.new_events order by id");

    const last = await order();

    const events = await placed();
    expect(events.map(({ id }) => id)).toEqual(waiting.map(({ id }) => id));
    expect(events.map(({ position }) => Number(position))).toEqual(events.map((_, at) => at + 1));
    expect(last).toBe(events.at(-1)?.position);
    expect(await building.rows("select from private.new_events")).toEqual([]);
  });

  it("gives an event that is committed late a later position, and passes over none", async () => {
    await order();
    await withClient(building.database.url("parking_owner"), async (late) => {
      await late.query("begin");
      await late.query(record, ["spot.updated"]);
      await building.rows(record, ["spot.verified"]);
      await order();
      await late.query("commit");
    });
    await order();

    expect((await placed()).slice(-2).map(({ type }) => type)).toEqual([
      "spot.verified",
      "spot.updated",
    ]);
  });

  it("leaves the rest to the next time where there are more than it takes", async () => {
    const before = Number(await order());
    for (let count = 0; count < 5; count++) await building.rows(record, ["spot.updated"]);

    expect([await order(2), await order(2), await order(2), await order(2)].map(Number)).toEqual([
      before + 2,
      before + 4,
      before + 5,
      before + 5,
    ]);
  });

  it("is done by one at a time: another gives none meanwhile, and does not wait", async () => {
    await building.rows(record, ["spot.updated"]);
    await withClient(building.database.url("parking_owner"), async (owner) => {
      await owner.query("begin");
      await owner.query("select private.lock_events()");
      expect(await order()).toBeNull();
      await owner.query("rollback");
    });
    expect(await order()).not.toBeNull();
  });

  it("passes over none that can get no position, and goes on when its owner has mended it", async () => {
    const before = Number(await order());
    await building.rows(
      "insert into private.new_events (type, subject_id, data) values ('claim.submitted', uuidv7(), '{\"start_time\": \"soon\"}')",
    );
    await building.rows(record, ["spot.updated"]);
    await expect(order()).rejects.toMatchObject({ code: "22007" });

    const docs = await readFile(join(projectFolder, "docs/operations.md"), "utf8");
    const [mending = ""] = docs.match(/begin;\nselect private\.lock_events[^`]+/) ?? [];
    await building.rows(mending);
    expect(Number(await order())).toBe(before + 2);
  });

  it("says what is missing where nothing holds the last position", async () => {
    await withClient(building.database.url("parking_owner"), async (owner) => {
      await owner.query("begin");
      await owner.query("delete from private.last_position");
      await expect(owner.query("select private.order_events()")).rejects.toMatchObject({
        message: expect.stringContaining("private.last_position has no row"),
      });
      await owner.query("rollback");
    });
  });
});

it("keeps the position of what was pruned", async () => {
  const before = await order();
  await building.rows(
    "insert into private.new_events (type, subject_id, data, occurred_at) values ('claim.submitted', uuidv7(), '{}', $1), ('spot.verified', uuidv7(), '{}', $1)",
    [hours(-24 * 401)],
  );
  await order();
  const { rows } = await building.service.pool.query("select private.prune() as pruned");
  expect(rows).toEqual([{ pruned: 1 }]);
  const [kept] = (await placed()).slice(-1);
  expect(kept).toMatchObject({ type: "spot.verified" });
  await building.rows(record, ["spot.updated"]);
  expect(Number(await order())).toBe(Number(before) + 3);
});
