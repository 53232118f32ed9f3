import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  type Building,
  claimOf,
  type Holding,
  holding,
  hours,
  offer,
  openBuilding,
  windowOf,
} from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { insertClaimFor, moveClaim, type Statement, setStatus } from "./support.ts";

let building: Building;
let administrator: Person;
beforeAll(async () => {
  building = await openBuilding();
  administrator = await building.administrator();
});
afterAll(() => building.close());

/** What somebody was told, the first first. */
const toldTo = ({ id }: Person) =>
  building.rows(
    `select kind, resolved_at is not null as resolved
       from parking.notifications
      where recipient_id = $1
      order by id`,
    [id],
  );
const open = (kind: string) => ({ kind, resolved: false });
const resolved = (kind: string) => ({ kind, resolved: true });

const deleteClaim = ({ claim }: Holding): Statement => [
  "delete from parking.claims where id = $1",
  [claim.id],
];
const setFlag = (table: string, id: string, assignment: string): Statement => [
  `update parking.${table} set ${assignment} where id = $1`,
  [id],
];

describe("the owner of a spot", () => {
  it("is told of a claim", async () => {
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

  it.each([
    { status: "completed", submission: open("claim.submitted") },
    { status: "cancelled", submission: resolved("claim.submitted") },
  ])("is told that it is $status", async ({ status, submission }) => {
    const { owner, claimer, claim } = await holding(building);
    await claimer.sql(...setStatus(claim, status));
    expect(await toldTo(owner)).toEqual([submission, open(`claim.${status}`)]);
  });

  it("is told that it is deleted, which settles what was told before", async () => {
    const held = await holding(building);
    await held.claimer.sql(...deleteClaim(held));
    expect(await toldTo(held.owner)).toEqual([resolved("claim.submitted"), open("claim.deleted")]);
  });

  it("is told of each step, and the moment of settlement stays", async () => {
    const held = await holding(building);
    await held.claimer.sql(...setStatus(held.claim, "cancelled"));
    const settled = () =>
      building.rows(
        "select resolved_at from parking.notifications where claim_id = $1 and kind = $2",
        [held.claim.id, "claim.submitted"],
      );
    const before = await settled();

    await held.claimer.sql(...deleteClaim(held));

    expect(await settled()).toEqual(before);
    expect(await toldTo(held.owner)).toEqual([
      resolved("claim.submitted"),
      resolved("claim.cancelled"),
      open("claim.deleted"),
    ]);
  });

  it("keeps the news of another claim open", async () => {
    const held = await holding(building);
    await claimOf(held.claimer, await windowOf(held.owner, held.spot, 10, 11));
    await held.claimer.sql(...deleteClaim(held));
    expect(await toldTo(held.owner)).toEqual([
      resolved("claim.submitted"),
      open("claim.submitted"),
      open("claim.deleted"),
    ]);
  });

  it("is not told that it moves, or that it is written as it was", async () => {
    const { owner, claimer, claim } = await holding(building);
    await claimer.sql(...moveClaim(claim, hours(2), hours(3)));
    await claimer.sql(...setStatus(claim, "active"));
    expect(await toldTo(owner)).toEqual([open("claim.submitted")]);
  });

  it("is not told of what they do themselves", async () => {
    const held = await holding(building);
    await held.claimer.sql(...setStatus(held.claim, "cancelled"));
    await held.owner.sql("delete from parking.spots where id = $1", [held.spot.id]);
    expect(await toldTo(held.owner)).toEqual([
      resolved("claim.submitted"),
      resolved("claim.cancelled"),
    ]);
  });

  it("is told of a claim that the owner of the database makes", async () => {
    const { owner, claimer, window } = await offer(building);
    await building.rows(...insertClaimFor(claimer.id, window));
    expect(await toldTo(owner)).toEqual([open("claim.submitted")]);
  });

  it("is told that the spot is verified, each time", async () => {
    const { owner, spot } = await offer(building);
    const verify = setFlag("spots", spot.id, "is_verified = true");
    await administrator.sql(...verify);
    await administrator.sql(...verify);
    await administrator.sql(...setFlag("spots", spot.id, "is_verified = false"));
    await administrator.sql(...verify);

    const told = await building.rows(
      "select kind, message, spot_id from parking.notifications where recipient_id = $1",
      [owner.id],
    );
    const message = `Your parking spot ${spot.spot_number} was verified`;
    const verified = { kind: "spot.verified", message, spot_id: spot.id };
    expect(told).toEqual([verified, verified]);
  });
});

describe("a resident", () => {
  it("is told of the approval, not of the other flags", async () => {
    const resident = await building.unapproved();
    await administrator.sql(...setFlag("profiles", resident.id, "is_approved = true"));
    await administrator.sql(...setFlag("profiles", resident.id, "is_approved = true"));
    await administrator.sql(...setFlag("profiles", resident.id, "is_admin = true"));
    await administrator.sql(...setFlag("profiles", resident.id, "is_approved = false"));

    const told = await building.rows(
      "select kind, message, resolved_at from parking.notifications where recipient_id = $1",
      [resident.id],
    );
    expect(told).toEqual([
      { kind: "profile.approved", message: "Your account was approved", resolved_at: null },
    ]);
  });

  it("is told of an approval by the owner of the database", async () => {
    const resident = await building.unapproved();
    await building.rows(...setFlag("profiles", resident.id, "is_approved = true"));
    expect(await toldTo(resident)).toEqual([open("profile.approved")]);
  });

  it("is told nothing of claims of their own", async () => {
    const held = await holding(building);
    await held.claimer.sql(...setStatus(held.claim, "cancelled"));
    await held.claimer.sql(...deleteClaim(held));
    expect(await toldTo(held.claimer)).toEqual([]);
  });
});
