import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import {
  answerOf,
  complaint,
  formatsOf,
  malformed,
  refusal,
  refusalOf,
} from "../support/answers.ts";
import { claimOf, hours, spotOf, useBuilding, type Window, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdate, eventsOf, isClaimed } from "../support/rows.ts";
import { claim, claimsOn } from "./claiming.ts";

const building = useBuilding();
let owner: Person;
let claimer: Person;
beforeAll(async () => {
  owner = await building.resident();
  claimer = await building.resident();
});

/** A window from the 10th to the 20th hour. */
const freshWindow = async () => windowOf(owner, await spotOf(owner), 10, 20);

/** The claim is refused, and nothing is written. */
const expectRefused = async (
  window: Window,
  answer: Awaited<ReturnType<typeof claim>>,
  expected: object,
) => {
  expect(answerOf(answer)).toEqual(expected);
  expect(await claimsOn(building, window)).toEqual([]);
  expect(await isClaimed(building, window.id)).toBe(false);
};

const outside = refusal(400, "Claim times must be within the availability window");

describe("POST /claims", () => {
  it("claims for the caller: the claim is active, the window claimed", async () => {
    const window = await freshWindow();

    const { status, body } = await claim(claimer, window, 12, 14);

    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(["claim"]);
    expect(body.claim).toMatchObject({
      availability_id: window.id,
      claimer_id: claimer.id,
      start_time: hours(12),
      end_time: hours(14),
      status: "active",
    });
    expect(await claimsOn(building, window)).toEqual([
      {
        claimer_id: claimer.id,
        start_time: new Date(hours(12)),
        end_time: new Date(hours(14)),
        status: "active",
      },
    ]);
    expect(await isClaimed(building, window.id)).toBe(true);
    expect(await eventsOf(building, body.claim.id)).toEqual([
      { type: "claim.submitted", actor_id: claimer.id },
    ]);
  });

  it("answers with exactly the fields of Claim", async () => {
    expect(formatsOf(await claimOf(claimer, await freshWindow()))).toEqual({
      id: "uuid",
      availability_id: "uuid",
      claimer_id: "uuid",
      start_time: "time",
      end_time: "time",
      status: "text",
      created_at: "time",
      updated_at: "time",
    });
  });

  it("notifies the owner of the spot", async () => {
    const { body } = await claim(claimer, await freshWindow(), 10, 20);

    expect(
      await building.rows(
        "select recipient_id, kind from parking.notifications where claim_id = $1",
        [body.claim.id],
      ),
    ).toEqual([{ recipient_id: owner.id, kind: "claim.submitted" }]);
  });

  it("changes no other window of the spot", async () => {
    const spot = await spotOf(owner);
    const [window, other] = [
      await windowOf(owner, spot, 10, 20),
      await windowOf(owner, spot, 20, 30),
    ];

    await claimOf(claimer, window);

    expect(await isClaimed(building, other.id)).toBe(false);
  });

  it.each([
    ["the whole of it", 10, 20],
    ["its beginning", 10, 11],
    ["its middle", 14, 15],
    ["its end", 19, 20],
  ])("claims %s of a window: %d to %d", async (_case, from, to) => {
    const window = await freshWindow();

    expect(await claim(claimer, window, from, to)).toMatchObject({ status: 201 });
    expect(await claimsOn(building, window)).toMatchObject([{ start_time: new Date(hours(from)) }]);
  });

  it.each([
    ["begin before it", 9, 15],
    ["end after it", 15, 21],
    ["surround it", 9, 21],
    ["lie before it", 5, 8],
    ["end where it begins", 8, 10],
    ["begin where it ends", 20, 22],
    ["lie after it", 22, 25],
  ])("refuses times that %s: %d to %d", async (_case, from, to) => {
    const window = await freshWindow();

    await expectRefused(window, await claim(claimer, window, from, to), outside);
  });

  it("refuses times that need two adjacent windows", async () => {
    const spot = await spotOf(owner);
    const window = await windowOf(owner, spot, 10, 20);
    await windowOf(owner, spot, 20, 30);

    await expectRefused(window, await claim(claimer, window, 15, 25), outside);
  });

  it("refuses a start that has passed, though inside the window", async () => {
    const window = await freshWindow();
    await backdate(building, "availabilities", window, -3, 20);

    await expectRefused(
      window,
      await claim(claimer, window, -2, 15),
      refusalOf("start_time", 400, "start_time must be in the future"),
    );
  });

  it("claims the rest of a window that has begun", async () => {
    const window = await freshWindow();
    await backdate(building, "availabilities", window, -3, 20);

    expect(await claim(claimer, window, 2, 20)).toMatchObject({ status: 201 });
  });

  it.each([
    ["before its start", 15, 14],
    ["at its start", 15, 15],
  ])("refuses an end %s", async (_case, from, to) => {
    const window = await freshWindow();

    await expectRefused(
      window,
      await claim(claimer, window, from, to),
      refusalOf("end_time", 400, "end_time must be after start_time"),
    );
  });

  it("refuses the owner of the spot", async () => {
    const window = await freshWindow();

    await expectRefused(
      window,
      await claim(owner, window, 12, 14),
      refusal(403, "You cannot claim your own parking spot"),
    );
  });

  it("refuses an administrator their own spot as well", async () => {
    const administrator = await building.administrator();
    const window = await windowOf(administrator, await spotOf(administrator), 10, 20);

    await expectRefused(
      window,
      await claim(administrator, window, 12, 14),
      refusal(403, "You cannot claim your own parking spot"),
    );
  });

  it("answers 404 for the id of no window", async () => {
    expect(answerOf(await claim(claimer, { id: randomUUID() }, 12, 14))).toEqual(
      refusal(404, "Availability not found"),
    );
  });

  it.each([
    ["id", randomUUID()],
    ["claimer_id", randomUUID()],
    ["spot_id", randomUUID()],
    ["owner_id", randomUUID()],
    ["status", "completed"],
  ])("does not let the caller set %s", async (field, value) => {
    const window = await freshWindow();

    const answer = await claimer.post("/claims", {
      availability_id: window.id,
      start_time: hours(12),
      end_time: hours(14),
      [field]: value,
    });

    expect(complaint(answer)).toEqual(malformed(field));
    expect(await claimsOn(building, window)).toEqual([]);
  });
});
