import { beforeEach, describe, expect, it } from "@jest/globals";
import { claimOf, spotOf, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { newSubscription } from "../support/push-service.ts";
import { backdateCreation, suspend, writePastRules } from "../support/rows.ts";

const building = useBuilding();
const asService = (sql: string) => building.service.pool.query(sql);

interface PushJob {
  readonly lane: string;
  readonly data: { readonly kind: string; readonly notifications?: readonly string[] };
  readonly waits: boolean;
}

let owner: Person;
let claimer: Person;
beforeEach(async () => {
  await building.rows("delete from private.jobs");
  await asService("select private.order_events()");
  await asService(
    `select private.use_push('B' || repeat('A', 86), repeat('A', 43)), private.use_mail()`,
  );
  owner = await building.resident();
  claimer = await building.resident();
});

const order = () => asService("select private.order_events()");
const claimed = async (from = 2, to = 4) =>
  claimOf(claimer, await windowOf(owner, await spotOf(owner), from, to));
async function devicesOf(person: Person, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await person.post("/push-subscriptions", newSubscription(), 201);
}
/** The pushes to a person that have not ended, and whether they wait for more of their kind. */
const pushesTo = ({ id }: Person) =>
  building.rows<PushJob>(
    `select lane, data, run_at > created_at + interval '50 minutes' as waits
       from private.jobs
      where kind = 'push' and data ->> 'recipient_id' = $1 and ended_at is null
      order by id`,
    [id],
  );
const mailsTo = ({ id }: Person) =>
  building.rows("select from private.jobs where kind = 'mail' and data ->> 'recipient_id' = $1", [
    id,
  ]);

describe("a notification", () => {
  it("becomes a push to each device in the person's own lane, and no mail to an address that nobody confirmed", async () => {
    await devicesOf(owner, 2);
    await building.rows("update private.users set email_confirmed_at = null where id = $1", [
      owner.id,
    ]);
    await claimed();
    await order();
    const push = { lane: `push:${owner.id}`, data: { kind: "claim.submitted" }, waits: false };
    expect(await pushesTo(owner)).toMatchObject([push, push]);
    expect(await mailsTo(owner)).toEqual([]);
    expect(await pushesTo(claimer)).toEqual([]);
  });

  it("follows the choice for devices, which is not that of mails", async () => {
    await devicesOf(owner, 1);
    await owner.put("/profile/preferences", { mail: [] }, 200);
    await claimed();
    await order();
    expect([await pushesTo(owner), await mailsTo(owner)]).toMatchObject([[{}], []]);
    await owner.put("/profile/preferences", { mail: null, push: ["wish.fits"] }, 200);
    await claimed(6, 7);
    await order();
    expect([await pushesTo(owner), await mailsTo(owner)]).toMatchObject([[{}], [{}]]);
  });

  it("is no push to who is suspended, or where no process sends any", async () => {
    await devicesOf(owner, 1);
    await claimed(2, 3);
    await suspend(building, owner);
    await order();
    expect(await pushesTo(owner)).toEqual([]);
    await building.rows("delete from private.jobs where kind = 'pushreminders'");
    await building.rows("update parking.profiles set is_approved = true where id = $1", [owner.id]);
    await claimed(4, 5);
    await order();
    expect(await pushesTo(owner)).toEqual([]);
    expect(await mailsTo(owner)).not.toEqual([]);
  });

  it("is one push for a series, also in several transactions", async () => {
    await devicesOf(owner, 2);
    await claimed(2, 3);
    await order();
    // The push has not left, on a slow machine either.
    await building.rows(
      "update private.jobs set run_at = now() + interval '1 hour', pause = interval '1 hour'",
    );
    await claimed(4, 5);
    await order();
    const pushes = await pushesTo(owner);
    expect(pushes.map(({ data }) => data.notifications?.length)).toEqual([2, 2]);
  });

  it("waits for more of its kind once there were ten in a day, however many devices there are", async () => {
    await devicesOf(owner, 3);
    const claimAnother = async () => {
      await claimed();
      await order();
      const waits = (await pushesTo(owner)).map((push) => push.waits);
      await building.rows("update private.jobs set ended_at = now() where key <> 'timed'");
      return waits;
    };
    await building.rows(
      `select private.add_message('push', 'event.' || i || 'x',
                jsonb_build_object('kind', 'claim.submitted', 'recipient_id', $1::uuid))
         from generate_series(1, 9) i`,
      [owner.id],
    );
    await building.rows("update private.jobs set ended_at = now() where key <> 'timed'");
    expect(await claimAnother()).toEqual([false, false, false]);
    expect(await claimAnother()).toEqual([true, true, true]);
  });

  it("is dropped where no process has sent any push for days, and mails stay", async () => {
    await devicesOf(owner, 1);
    await claimed();
    await order();
    await building.rows(
      "update private.jobs set run_at = now() - interval '4 days' where kind = 'pushreminders'",
    );
    await asService("select private.prune()");
    const kinds = await building.rows<{ kind: string }>(
      "select distinct kind from private.jobs order by kind",
    );
    expect(kinds.map(({ kind }) => kind)).toEqual(["mail", "reminders"]);
  });
});

it("a reminder is pushed to who has a device, once", async () => {
  await devicesOf(claimer, 1);
  const claim = await claimed();
  await backdateCreation(building, "claims", claim);
  await writePastRules(
    building,
    "update parking.claims set start_time = now() + interval '55 minutes' where id = $1",
    [claim.id],
  );
  for (const _ of Array(2)) await asService("select private.add_due_mails('push')");
  expect(await pushesTo(claimer)).toMatchObject([{ data: { kind: "claim.starts" } }]);
  expect(await mailsTo(claimer)).toEqual([]);
});
