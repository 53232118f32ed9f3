import { beforeAll, describe, expect, it } from "@jest/globals";
import { holding, hours, offer, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { deleteClaim, moveClaim, type Statement, setStatus } from "./support.ts";

const building = useBuilding();
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});

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
          `The claim of your parking spot ${spot.spot_number} ` +
          `from ${day(claim.start_time)} to ${day(claim.end_time)} UTC was submitted`,
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
    expect(notification).toEqual({ message: expect.stringContaining(` ${span} was submitted`) });
  });

  it.each([
    { status: "completed", submission: open("claim.submitted") },
    { status: "cancelled", submission: resolved("claim.submitted") },
  ])("is notified that the claim is $status", async ({ status, submission }) => {
    const { owner, claimer, claim } = await holding(building);
    await claimer.sql(...setStatus(claim, status));
    expect(await notificationsOf(owner)).toEqual([submission, open(`claim.${status}`)]);
  });

  it("is notified of a deletion, which resolves the earlier notification", async () => {
    const held = await holding(building);
    await held.claimer.sql(...deleteClaim(held.claim));
    expect(await notificationsOf(held.owner)).toEqual([
      resolved("claim.submitted"),
      open("claim.deleted"),
    ]);
  });

  it("is notified of each step, and resolved_at does not change again", async () => {
    const held = await holding(building);
    await held.claimer.sql(...setStatus(held.claim, "cancelled"));
    const resolvedAt = () =>
      building.rows(
        "select resolved_at from parking.notifications where claim_id = $1 and kind = $2",
        [held.claim.id, "claim.submitted"],
      );
    const before = await resolvedAt();

    await held.claimer.sql(...deleteClaim(held.claim));

    expect(await resolvedAt()).toEqual(before);
    expect(await notificationsOf(held.owner)).toEqual([
      resolved("claim.submitted"),
      resolved("claim.cancelled"),
      open("claim.deleted"),
    ]);
  });

  it("is not notified of other times, or of an update that changes nothing", async () => {
    const { owner, claimer, claim } = await holding(building);
    await claimer.sql(...moveClaim(claim, hours(2), hours(3)));
    await claimer.sql(...setStatus(claim, "active"));
    expect(await notificationsOf(owner)).toEqual([open("claim.submitted")]);
  });

  it("is not notified of their own actions", async () => {
    const held = await holding(building);
    await held.claimer.sql(...setStatus(held.claim, "cancelled"));
    await held.owner.sql("delete from parking.spots where id = $1", [held.spot.id]);
    expect(await notificationsOf(held.owner)).toEqual([
      resolved("claim.submitted"),
      open("claim.cancelled"),
    ]);
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

describe("a resident", () => {
  it("is notified of an approval, not of other changes of the flags", async () => {
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
});
