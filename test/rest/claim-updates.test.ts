import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, complaint, malformed, refusal, refusalOf } from "../support/answers.ts";
import { type Claim, claimOf, spotOf, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdate, backdateCreation, eventsOf, longAgo, shownRow } from "../support/rows.ts";
import { bodyOf, type Change } from "./times.ts";

const building = useBuilding();
let owner: Person;
let claimer: Person;
beforeAll(async () => {
  owner = await building.resident();
  claimer = await building.resident();
});

/** A claim from the 12th to the 18th hour, in a window from the 10th to the 20th. */
async function freshClaim(status = "active"): Promise<Claim> {
  const window = await windowOf(owner, await spotOf(owner), 10, 20);
  const claim = await claimOf(claimer, { ...window, ...bodyOf({ from: 12, to: 18 }) });
  await update(claimer, claim, { status });
  await backdateCreation(building, "claims", claim);
  return (await claimer.get<{ claim: Claim }>(`/claims/${claim.id}`, 200)).body.claim;
}

const update = (person: Person, { id }: Pick<Claim, "id">, change: Change) =>
  person.put<{ claim: Claim }>(`/claims/${id}`, bodyOf(change));

/** A claim as clients see it, with the flag of its window. */
const stored = async ({ id }: Claim) => {
  const [row] = await building.rows<{ claim: Claim; is_claimed: boolean }>(
    `select ${shownRow("claims", "c")} as claim, a.is_claimed
       from parking.claims c
       join parking.availabilities a on a.id = c.availability_id
      where c.id = $1`,
    [id],
  );
  return row;
};

const typesOf = async ({ id }: Claim) =>
  (await eventsOf(building, id)).map(({ type }) => type.replace("claim.", ""));

/** The owner's notifications about the claim. */
const notificationsOf = ({ id }: Claim) =>
  building.rows<{ kind: string; resolved: boolean }>(
    `select kind, resolved_at is not null as resolved
       from parking.notifications
      where claim_id = $1 and recipient_id = $2
      order by id`,
    [id, owner.id],
  );

const someId = "018f0000-0000-7000-8000-000000000000";
const closed = refusal(400, "Cannot change status from completed/cancelled");
const outside = refusal(400, "Claim times must be within the availability window");
const past = refusalOf("start_time", 400, "start_time must be in the future");
const notTheirs = refusal(403, "You can only update your own claims");

describe("the status of an active claim", () => {
  it("becomes completed: the window stays claimed, the owner is notified", async () => {
    const claim = await freshClaim();

    const { status, body } = await update(claimer, claim, { status: "completed" });

    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["claim"]);
    expect(body.claim).toEqual({
      ...claim,
      status: "completed",
      updated_at: expect.not.stringMatching(longAgo),
    });
    expect(await stored(claim)).toEqual({ claim: body.claim, is_claimed: true });
    expect(await typesOf(claim)).toEqual(["submitted", "completed"]);
    expect(await notificationsOf(claim)).toEqual([
      { kind: "claim.submitted", resolved: false },
      { kind: "claim.completed", resolved: false },
    ]);
  });

  it("becomes cancelled: the window is free, the owner notified, 'submitted' resolved", async () => {
    const claim = await freshClaim();

    const { status, body } = await update(claimer, claim, { status: "cancelled" });

    expect(status).toBe(200);
    expect(body.claim).toEqual({
      ...claim,
      status: "cancelled",
      updated_at: expect.not.stringMatching(longAgo),
    });
    expect(await stored(claim)).toEqual({ claim: body.claim, is_claimed: false });
    expect(await typesOf(claim)).toEqual(["submitted", "cancelled"]);
    expect(await notificationsOf(claim)).toEqual([
      { kind: "claim.submitted", resolved: true },
      { kind: "claim.cancelled", resolved: false },
    ]);
  });

  it("stays active when set to active, and nothing changes", async () => {
    const claim = await freshClaim();

    expect(answerOf(await update(claimer, claim, { status: "active" }))).toEqual({
      status: 200,
      body: { claim },
    });
    expect(await stored(claim)).toEqual({ claim, is_claimed: true });
    expect(await typesOf(claim)).toEqual(["submitted"]);
    expect(await notificationsOf(claim)).toHaveLength(1);
  });

  it.each([
    ["completed", { from: 13 }],
    ["completed", { to: 17 }],
    ["completed", { from: 12 }],
    ["cancelled", { from: 13, to: 17 }],
    ["cancelled", { from: 12, to: 18 }],
  ])("does not become %s together with times, new or the same: %j", async (status, times) => {
    const claim = await freshClaim();

    expect(answerOf(await update(claimer, claim, { status, ...times }))).toEqual(
      refusal(400, "Claim times cannot be changed while completing or cancelling the claim"),
    );
    expect(await stored(claim)).toEqual({ claim, is_claimed: true });
  });
});

describe.each(["completed", "cancelled"])("a %s claim", (status) => {
  it.each([
    { status: "active" },
    { status: "completed" },
    { status: "cancelled" },
    { from: 13 },
    { to: 17 },
    { from: 13, to: 17 },
    { status: "active", from: 13 },
    { status: "completed", to: 17 },
    { status: "cancelled", to: 17 },
  ])("refuses %j", async (change) => {
    const claim = await freshClaim(status);
    const before = await stored(claim);

    expect(answerOf(await update(claimer, claim, change))).toEqual(closed);
    expect(await stored(claim)).toEqual(before);
  });
});

describe.each(["active", "completed", "cancelled"])(
  "an empty body on a claim that is %s",
  (status) => {
    it("changes nothing and returns the claim", async () => {
      const claim = await freshClaim(status);
      const events = await typesOf(claim);

      expect(answerOf(await update(claimer, claim, {}))).toEqual({ status: 200, body: { claim } });
      expect(claim).toMatchObject({ status, updated_at: longAgo });
      expect(await typesOf(claim)).toEqual(events);
    });
  },
);

describe("the times of an active claim", () => {
  it.each([{ from: 10 }, { to: 20 }, { from: 19, to: 20 }, { status: "active", from: 13 }])(
    "move within the window: %j",
    async (change) => {
      const claim = await freshClaim();

      const { status, body } = await update(claimer, claim, change);

      expect(status).toBe(200);
      expect(body.claim).toEqual({
        ...claim,
        ...bodyOf(change),
        updated_at: expect.not.stringMatching(longAgo),
      });
      expect(await stored(claim)).toEqual({ claim: body.claim, is_claimed: true });
      expect(await typesOf(claim)).toEqual(["submitted", "updated"]);
      expect(await notificationsOf(claim)).toHaveLength(1);
    },
  );

  it.each([{ from: 9 }, { to: 21 }, { from: 30, to: 31 }])(
    "do not move out of the window: %j",
    async (change) => {
      const claim = await freshClaim();

      expect(answerOf(await update(claimer, claim, change))).toEqual(outside);
      expect(await stored(claim)).toEqual({ claim, is_claimed: true });
    },
  );

  it.each([{ from: 18 }, { to: 12 }, { to: 11 }])(
    "do not move so that the end is not after the start: %j",
    async (change) => {
      const claim = await freshClaim();

      expect(answerOf(await update(claimer, claim, change))).toEqual(
        refusalOf("end_time", 400, "end_time must be after start_time"),
      );
      expect(await stored(claim)).toEqual({ claim, is_claimed: true });
    },
  );

  it("do not move into the past, though the window has begun", async () => {
    const claim = await freshClaim();
    await backdate(building, "availabilities", { id: claim.availability_id }, -5, 20);

    expect(answerOf(await update(claimer, claim, { from: -1 }))).toEqual(past);
    expect(await stored(claim)).toEqual({ claim, is_claimed: true });
  });
});

describe("a claim that has begun", () => {
  /** From two hours ago to the 18th hour, in a window from five hours ago to the 20th. */
  const begunClaim = async (): Promise<Claim> => {
    const claim = await freshClaim();
    await backdate(building, "availabilities", { id: claim.availability_id }, -5, 20);
    await backdate(building, "claims", claim, -2, 18);
    return claim;
  };

  it.each([
    { to: 20 },
    { from: -2, to: 20 },
    { from: 1, to: 20 },
    { status: "completed" },
    { status: "cancelled" },
  ])("may keep its start, or move it into the future: %j", async (change) => {
    const claim = await begunClaim();

    expect(await update(claimer, claim, change)).toMatchObject({
      status: 200,
      body: { claim: bodyOf({ from: -2, ...change }) },
    });
  });

  it.each([-1, -3])("may not move its start within the past, to hour %d", async (from) => {
    const claim = await begunClaim();
    const before = await stored(claim);

    expect(answerOf(await update(claimer, claim, { from }))).toEqual(past);
    expect(await stored(claim)).toEqual(before);
  });
});

describe("PUT /claims/{id}", () => {
  it.each([
    ["a stranger", () => building.resident(), { status: "cancelled" }],
    ["the owner of the spot", () => owner, { status: "cancelled" }],
    ["an administrator", () => building.administrator(), { status: "cancelled" }],
    ["a stranger with an empty body", () => building.resident(), {}],
    ["the owner of the spot with an empty body", () => owner, {}],
    ["an administrator with an empty body", () => building.administrator(), {}],
  ])("is refused to %s", async (_case, someone, change) => {
    const claim = await freshClaim();

    expect(answerOf(await update(await someone(), claim, change))).toEqual(notTheirs);
    expect(await stored(claim)).toEqual({ claim, is_claimed: true });
  });

  it.each([{}, { status: "cancelled" }])("answers 404 for an unknown id: %j", async (change) => {
    expect(answerOf(await update(claimer, { id: randomUUID() }, change))).toEqual(
      refusal(404, "Claim not found"),
    );
  });

  it.each([
    ["status", "lost"],
    ["status", null],
    ["id", someId],
    ["claimer_id", someId],
    ["availability_id", someId],
    ["spot_id", someId],
  ])("does not set %s to %s", async (field, value) => {
    const claim = await freshClaim();

    const answer = await claimer.put(`/claims/${claim.id}`, { [field]: value });

    expect(complaint(answer)).toEqual(malformed(field));
    expect(await stored(claim)).toEqual({ claim, is_claimed: true });
  });
});
