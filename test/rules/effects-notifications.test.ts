import { describe, expect, it } from "@jest/globals";
import { type Holding, holding, hours, offer, useBuilding } from "../support/building.ts";
import * as doors from "../support/doors.ts";
import type { Person } from "../support/person.ts";
import { holdsForAll } from "../support/table.ts";
import type { Statement } from "./support.ts";

const building = useBuilding();
const administrator = building.shared("administrator");

/** The notifications of a person, oldest first. */
const notificationsOf = ({ id }: Person) =>
  building.rows(
    `select kind, resolved_at is not null as resolved
       from parking.notifications
      where recipient_id = $1
      order by id`,
    [id],
  );
const open = (kind: string) => ({ kind, resolved: false });
const resolved = (kind: string) => ({ kind, resolved: true });

const setFlag = (table: string, id: string, assignment: string): Statement => [
  `update parking.${table} set ${assignment} where id = $1`,
  [id],
];

type Step = (held: Holding) => Promise<unknown>;

describe("the owner of a spot", () => {
  it("is notified of a claim", async () => {
    const { owner, spot, window, claim } = await holding(building);
    const notifications = await building.rows(
      "select * from parking.notifications where recipient_id = $1",
      [owner.id],
    );
    const day = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 16)}`;
    expect(notifications).toMatchObject([
      {
        kind: "claim.submitted",
        message:
          `Your parking spot ${spot.spot_number} was claimed ` +
          `from ${day(claim.start_time)} to ${day(claim.end_time)} UTC`,
        claim_id: claim.id,
        availability_id: window.id,
        spot_id: spot.id,
        is_read: false,
        resolved_at: null,
      },
    ]);
  });

  it("reads times in the time zone of the building, which the message names", async () => {
    await building.rows("update parking.building set time_zone = 'Asia/Kolkata'");
    const { owner, claim } = await holding(building);
    await building.rows("update parking.building set time_zone = 'UTC'");

    const inKolkata = (time: string) =>
      new Date(Date.parse(time) + 5.5 * 3_600_000).toISOString().slice(0, 16).replace("T", " ");
    const span = `from ${inKolkata(claim.start_time)} to ${inKolkata(claim.end_time)} Asia/Kolkata`;
    const [notification] = await building.rows(
      "select message from parking.notifications where recipient_id = $1",
      [owner.id],
    );
    expect(notification).toEqual({
      message: expect.stringMatching(new RegExp(` was claimed ${span}$`)),
    });
  });

  it("is notified of each step of a claim, which resolves what was said before", async () => {
    const cancel: Step = ({ claimer, claim }) =>
      claimer.sql(...doors.close(claim, "cancelled").sql);
    const complete: Step = ({ claimer, claim }) =>
      claimer.sql(...doors.close(claim, "completed").sql);
    const remove: Step = ({ claimer, claim }) => claimer.sql(...doors.remove(claim).sql);
    const keep: Step = ({ claimer, claim }) => claimer.sql(...doors.close(claim, "active").sql);
    const move: Step = ({ claimer, claim }) =>
      claimer.sql(...doors.move(claim, hours(2), hours(3)).sql);
    const deleteSpot: Step = ({ owner, spot }) =>
      owner.sql("delete from parking.spots where id = $1", [spot.id]);
    await holdsForAll<readonly [steps: readonly Step[], expected: readonly object[]]>(
      [
        [[complete], [open("claim.submitted"), open("claim.completed")]],
        [[cancel], [resolved("claim.submitted"), open("claim.cancelled")]],
        [[remove], [resolved("claim.submitted"), open("claim.deleted")]],
        [
          [cancel, remove],
          [resolved("claim.submitted"), resolved("claim.cancelled"), open("claim.deleted")],
        ],
        [[move, keep], [open("claim.submitted")]],
        [
          [cancel, deleteSpot],
          [resolved("claim.submitted"), open("claim.cancelled")],
        ],
      ],
      async ([steps, expected]) => {
        const held = await holding(building);
        for (const step of steps) await step(held);
        expect(await notificationsOf(held.owner)).toEqual(expected);
      },
    );
  });

  it("keeps the moment at which a notification was resolved", async () => {
    const { claimer, claim } = await holding(building);
    const resolvedAt = () =>
      building.rows(
        "select resolved_at from parking.notifications where claim_id = $1 and kind = 'claim.submitted'",
        [claim.id],
      );
    await claimer.sql(...doors.close(claim, "cancelled").sql);
    const before = await resolvedAt();
    await claimer.sql(...doors.remove(claim).sql);
    expect(await resolvedAt()).toEqual(before);
  });

  it("is notified each time the spot is verified", async () => {
    const { owner, spot } = await offer(building);
    const verify = setFlag("spots", spot.id, "is_verified = true");
    await administrator.sql(...verify);
    await administrator.sql(...verify);
    await administrator.sql(...setFlag("spots", spot.id, "is_verified = false"));
    await administrator.sql(...verify);

    const notified = await building.rows(
      "select kind, message, spot_id from parking.notifications where recipient_id = $1",
      [owner.id],
    );
    const message = `Your parking spot ${spot.spot_number} was verified`;
    const verified = { kind: "spot.verified", message, spot_id: spot.id };
    expect(notified).toEqual([verified, verified]);
  });
});

it("a resident is notified of an approval, not of other changes of the flags", async () => {
  const resident = await building.unapproved();
  await administrator.sql(...setFlag("profiles", resident.id, "is_approved = true"));
  await administrator.sql(...setFlag("profiles", resident.id, "is_approved = true"));
  await administrator.sql(...setFlag("profiles", resident.id, "is_admin = true"));
  await administrator.sql(...setFlag("profiles", resident.id, "is_approved = false"));

  const notified = await building.rows(
    "select kind, message, resolved_at from parking.notifications where recipient_id = $1",
    [resident.id],
  );
  expect(notified).toEqual([
    { kind: "profile.approved", message: "Your account was approved", resolved_at: null },
  ]);
});
