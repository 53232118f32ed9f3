import { expect, it } from "@jest/globals";
import { useArena } from "../../support/arena.ts";
import { hours } from "../../support/building.ts";
import { withTransactionOf } from "../../support/sql.ts";
import { untilWaiting } from "../../support/waiting.ts";

const building = useArena(2);

const prune = async (): Promise<number | undefined> => {
  const { rows } = await building.service.pool.query<{ pruned: number }>(
    "select private.prune() as pruned",
  );
  return rows[0]?.pruned;
};

it("waits for a change of past events, and neither blocks the other", async () => {
  await building.rows(
    "insert into private.new_events (type, subject_id, data, occurred_at) values ('claim.submitted', uuidv7(), '{}', $1)",
    [hours(-24 * 401)],
  );
  await building.service.pool.query("select private.order_events()");

  await withTransactionOf(building.superuser, async (owner) => {
    await owner.query("select private.lock_events()");
    const pruned = prune();
    await untilWaiting(building, 1);
    await owner.query("set local parking.erasing = on");
    await owner.query("update private.events set data = data where type = 'claim.submitted'");
    await owner.query("commit");
    expect(await pruned).toBe(1);
  });
});

it("leaves a notification that somebody is about to change to the next time", async () => {
  const resident = await building.resident();
  await building.rows(
    "insert into parking.notifications (recipient_id, kind, message, created_at) values ($1, 'profile.approved', 'Old', $2)",
    [resident.id, hours(-24 * 401)],
  );
  await withTransactionOf(building.superuser, async (owner) => {
    await owner.query("select from parking.notifications where message = 'Old' for update");
    await prune();
  });
  expect(await prune()).toBe(1);
});
