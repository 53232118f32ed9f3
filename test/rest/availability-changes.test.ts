import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, complaint, malformed, refusal, refusalOf } from "../support/answers.ts";
import {
  claimOf,
  hours,
  type Spot,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdate, backdateCreation, eventsOf, longAgo } from "../support/rows.ts";
import { bodyOf, type Change } from "./times.ts";

const building = useBuilding();
let owner: Person;
let neighbour: Person;
let administrator: Person;
beforeAll(async () => {
  owner = await building.resident();
  neighbour = await building.resident();
  administrator = await building.administrator();
});

/** A window from the 10th to the 20th hour that was last updated long ago. */
const freshWindow = async (spot?: Spot): Promise<Window> => {
  const window = await windowOf(owner, spot ?? (await spotOf(owner)), 10, 20);
  await backdateCreation(building, "availabilities", window);
  return window;
};

const update = (person: Person, { id }: Pick<Window, "id">, change: Change) =>
  person.put<{ availability: Window }>(`/availabilities/${id}`, bodyOf(change));

const stored = async ({ id }: Window) => {
  const [window] = await building.rows(
    `select start_time, end_time, is_claimed, updated_at
       from parking.availabilities
      where id = $1`,
    [id],
  );
  return window;
};

const unchanged = {
  start_time: new Date(hours(10)),
  end_time: new Date(hours(20)),
  updated_at: new Date(longAgo),
};

describe("PUT /availabilities/{id}", () => {
  it.each([
    { from: 5 },
    { from: 15 },
    { to: 15 },
    { to: 25 },
    { from: 15, to: 30 },
    { from: 20, to: 30 },
  ])("moves the window, even over its old times: %j", async (change) => {
    const window = await freshWindow();

    const { status, body } = await update(owner, window, change);

    expect(status).toBe(200);
    expect(body.availability).toEqual({
      ...window,
      ...bodyOf(change),
      created_at: longAgo,
      updated_at: expect.any(String),
    });
    expect(await stored(window)).toMatchObject({
      start_time: new Date(hours(change.from ?? 10)),
      end_time: new Date(hours(change.to ?? 20)),
    });
    expect(await stored(window)).not.toMatchObject({ updated_at: unchanged.updated_at });
    expect(await eventsOf(building, window.id)).toEqual([
      { type: "availability.created", actor_id: owner.id },
      { type: "availability.updated", actor_id: owner.id },
    ]);
  });

  it("changes nothing with an empty body", async () => {
    const window = await freshWindow();

    expect(answerOf(await update(owner, window, {}))).toEqual({
      status: 200,
      body: { availability: { ...window, created_at: longAgo, updated_at: longAgo } },
    });
    expect(await stored(window)).toMatchObject(unchanged);
    expect(await eventsOf(building, window.id)).toHaveLength(1);
  });

  it("refuses a start that has passed", async () => {
    const window = await freshWindow();

    expect(answerOf(await update(owner, window, { from: -1 }))).toEqual(
      refusalOf("start_time", 400, "start_time must be in the future"),
    );
    expect(await stored(window)).toMatchObject(unchanged);
  });

  it.each([{ to: 10 }, { to: 9 }, { from: 20 }, { from: 21 }, { from: 31, to: 30 }])(
    "refuses an end that is not after the start: %j",
    async (change) => {
      const window = await freshWindow();

      expect(answerOf(await update(owner, window, change))).toEqual(
        refusalOf("end_time", 400, "end_time must be after start_time"),
      );
      expect(await stored(window)).toMatchObject(unchanged);
    },
  );

  it("refuses to overlap another window of the spot", async () => {
    const spot = await spotOf(owner);
    const window = await freshWindow(spot);
    await windowOf(owner, spot, 20, 30);

    expect(answerOf(await update(owner, window, { to: 21 }))).toEqual(
      refusal(409, "Availability overlaps an existing availability of this spot"),
    );
    expect(await stored(window)).toMatchObject(unchanged);
  });

  it.each([{ to: 8 }, { from: -2, to: 8 }])(
    "lets a start that has passed stay as it is: %j",
    async (change) => {
      const window = await freshWindow();
      await backdate(building, "availabilities", window, -2, 5);

      expect(await update(owner, window, change)).toMatchObject({ status: 200 });
      expect(await stored(window)).toMatchObject({
        start_time: new Date(hours(-2)),
        end_time: new Date(hours(8)),
      });
    },
  );

  it("does not let a start that has passed move within the past", async () => {
    const window = await freshWindow();
    await backdate(building, "availabilities", window, -3, 5);

    expect(answerOf(await update(owner, window, { from: -2 }))).toEqual(
      refusalOf("start_time", 400, "start_time must be in the future"),
    );
  });

  it.each(["active", "completed"])("refuses a window whose claim is %s", async (status) => {
    const window = await freshWindow();
    const claim = await claimOf(neighbour, window);
    await neighbour.put(`/claims/${claim.id}`, { status }, 200);

    for (const change of [{ to: 25 }, { from: 10 }]) {
      expect(answerOf(await update(owner, window, change))).toEqual(
        refusal(400, "Cannot update a claimed availability"),
      );
    }
    expect(await stored(window)).toMatchObject({
      start_time: new Date(hours(10)),
      end_time: new Date(hours(20)),
      is_claimed: true,
    });
  });

  it("returns a claimed window as it is for an empty body", async () => {
    const window = await freshWindow();
    await claimOf(neighbour, window);

    expect(await update(owner, window, {})).toMatchObject({
      status: 200,
      body: { availability: { id: window.id, is_claimed: true } },
    });
  });

  it("moves a window once its claim is cancelled, also away from the claim's times", async () => {
    const window = await freshWindow();
    const claim = await claimOf(neighbour, window);
    await neighbour.put(`/claims/${claim.id}`, { status: "cancelled" }, 200);

    await update(owner, window, { from: 40, to: 50 });

    expect(await stored(window)).toMatchObject({ start_time: new Date(hours(40)) });
  });

  it.each([
    ["a neighbour", () => neighbour, { to: 15 }],
    ["an administrator", () => administrator, { to: 15 }],
    ["a neighbour with an empty body", () => neighbour, {}],
    ["an administrator with an empty body", () => administrator, {}],
  ])("is refused to %s", async (_case, someone, change) => {
    const window = await freshWindow();

    expect(answerOf(await update(someone(), window, change))).toEqual(
      refusal(403, "You can only update availabilities for your own spots"),
    );
    expect(await stored(window)).toMatchObject(unchanged);
  });

  it.each([
    ["spot_id", randomUUID()],
    ["owner_id", randomUUID()],
    ["is_claimed", true],
  ])("does not change %s", async (field, value) => {
    const window = await freshWindow();

    const answer = await owner.put(`/availabilities/${window.id}`, { [field]: value });

    expect(complaint(answer)).toEqual(malformed(field));
    expect(await stored(window)).toMatchObject({ ...unchanged, is_claimed: false });
  });

  it.each([{}, { to: 15 }])("answers 404 for an unknown id: %j", async (change) => {
    expect(answerOf(await update(owner, { id: randomUUID() }, change))).toEqual(
      refusal(404, "Availability not found"),
    );
  });
});
