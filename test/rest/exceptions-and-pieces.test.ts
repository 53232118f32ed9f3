import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { claimPart, keepRest, layoutOf, piecesOf } from "../rules/rest.ts";
import {
  type Claim,
  hours,
  type Spot,
  spotOf,
  useBuilding,
  windowOf,
} from "../support/building.ts";
import { except, expectOrder, offered, offeredHours, undo } from "../support/exceptions.ts";
import { setLimits } from "../support/limits.ts";
import {
  dayAfter,
  on,
  patternOf,
  setZone,
  threeDays,
  timesOf,
  windowsOf,
} from "../support/patterns.ts";
import type { Person } from "../support/person.ts";

const building = useBuilding();
let owner: Person;
let claimer: Person;
let spot: Spot;
beforeEach(async () => {
  await keepRest(building);
  owner = await building.resident();
  claimer = await building.resident();
  spot = await spotOf(owner);
});
afterEach(() => expectOrder(building));

const cancel = ({ id }: Pick<Claim, "id">) =>
  claimer.put(`/claims/${id}`, { status: "cancelled" }, 200);

it.each([
  ["a part of a piece", 18, 20, "10-14 free, 14-16 claimed, 16-18 free, 20-30 free"],
  ["all pieces", 5, 40, "14-16 claimed"],
  ["the end of a piece", 25, 40, "10-14 free, 14-16 claimed, 16-25 free"],
  ["both sides of the claim", 12, 18, "10-12 free, 14-16 claimed, 18-30 free"],
])("%s that its owner needed is one with its window again", async (_what, from, to, meanwhile) => {
  const window = await windowOf(owner, spot, 10, 30);
  const claim = await claimPart(claimer, window, 14, 16);
  const kept = await except(owner, "keep", spot, from, to);
  expect(await layoutOf(building, window)).toBe(meanwhile);
  await undo(owner, kept);
  expect(await layoutOf(building, window)).toBe("10-14 free, 14-16 claimed, 16-30 free");
  await cancel(claim);
  expect(await layoutOf(building, window)).toBe("10-30 free");
});

it("pieces are joined up to the time that their owner needs", async () => {
  const window = await windowOf(owner, spot, 10, 30);
  const claim = await claimPart(claimer, window, 14, 16);
  const kept = await except(owner, "keep", spot, 18, 20);
  await cancel(claim);
  expect(await layoutOf(building, window)).toBe("10-18 free, 20-30 free");
  await undo(owner, kept);
  expect(await layoutOf(building, window)).toBe("10-30 free");
});

describe("where windows may last a day", () => {
  beforeEach(() => setLimits(building, { longest_window_days: 1 }));
  afterEach(() => setLimits(building, {}));

  it.each([
    ["behind", [70, 71], { end_time: hours(95) }, "48-71, 71-95"],
    ["before", [49, 50], { start_time: hours(26) }, "26-50, 50-72"],
    ["by less than it lost", [70, 71], { end_time: hours(71.5) }, "48-71.5"],
  ] as const)("a piece that was moved %s is joined to no more", async (...example) => {
    const [, [from, to], times, offer] = example;
    await windowOf(owner, spot, 48, 72);
    const kept = await except(owner, "keep", spot, from, to);
    const pieces = await offered(owner, spot);
    const moved = pieces.at("end_time" in times ? -1 : 0);
    await owner.put(`/availabilities/${moved?.id}`, times, 200);
    await undo(owner, kept);
    const spans = await offeredHours(owner, spot);
    expect(spans.map((span) => span.join("-")).join(", ")).toBe(offer);
  });
});

it("cancelled claims of pieces outlive an exception and its end", async () => {
  const window = await windowOf(owner, spot, 10, 30);
  const first = await claimPart(claimer, window, 12, 14);
  const [, , rest] = await piecesOf(building, window);
  const second = await claimPart(claimer, { ...window, id: rest?.id ?? "" }, 20, 22);
  const kept = await except(owner, "keep", spot, 11, 23);
  await cancel(first);
  await cancel(second);
  await undo(owner, kept);
  // Windows that nobody can see any more are a millisecond long.
  const offered = (await piecesOf(building, window)).filter(({ from, to }) => to - from > 0.1);
  expect(offered).toMatchObject([{ from: 10, to: 30, claimed: false }]);
  expect(
    await building.rows("select from parking.claims where spot_id = $1", [spot.id]),
  ).toHaveLength(2);
});

it.each([true, false])(
  "what is left of a window is one again, also with cancelled claims on both sides: rest on offer %s",
  async (isKept) => {
    await keepRest(building, isKept);
    const window = await windowOf(owner, spot, 10, 30);
    const kept = await except(owner, "keep", spot, 18, 20);
    const sides = await piecesOf(building, window);
    for (const { id, from, to } of sides)
      await cancel(await claimPart(claimer, { ...window, id }, from, to));
    await undo(owner, kept);
    expect(await layoutOf(building, window)).toBe("10-30 free");
    expect(
      await building.rows(
        "select distinct availability_id from parking.claims where spot_id = $1",
        [spot.id],
      ),
    ).toEqual([{ availability_id: window.id }]);
  },
);

it("a claim of what is left of a window gives its time back to the window", async () => {
  await keepRest(building, false);
  const window = await windowOf(owner, spot, 10, 30);
  const kept = await except(owner, "keep", spot, 18, 20);
  const [, after] = await piecesOf(building, window);
  const claim = await claimPart(claimer, { ...window, id: after?.id ?? "" }, 20, 30);
  await undo(owner, kept);
  expect(await layoutOf(building, window)).toBe("10-20 free, 20-30 claimed");
  await cancel(claim);
  expect(await layoutOf(building, window)).toBe("10-30 free");
});

it("pieces of both sides of what its owner needed are pieces of one window again", async () => {
  const window = await windowOf(owner, spot, 10, 30);
  const kept = await except(owner, "keep", spot, 18, 20);
  const [, after] = await piecesOf(building, window);
  const first = await claimPart(claimer, window, 12, 14);
  const second = await claimPart(claimer, { ...window, id: after?.id ?? "" }, 24, 26);
  await undo(owner, kept);
  expect(await layoutOf(building, window)).toBe(
    "10-12 free, 12-14 claimed, 14-24 free, 24-26 claimed, 26-30 free",
  );
  await cancel(first);
  await cancel(second);
  expect(await layoutOf(building, window)).toBe("10-30 free");
});

it.each([
  ["takes more", { end_time: hours(17) }, "10-11 free, 12-14 free, 14-17 claimed, 17-30 free"],
  ["is completed", { status: "completed" }, "10-11 free, 12-14 free, 14-16 claimed, 16-30 free"],
])(
  "a claim from before the setting that %s offers nothing that the owner needs",
  async (_what, change, layout) => {
    await keepRest(building, false);
    const window = await windowOf(owner, spot, 10, 30);
    const claim = await claimPart(claimer, window, 14, 16);
    await except(owner, "keep", spot, 11, 12);
    await keepRest(building);
    await claimer.put(`/claims/${claim.id}`, change, 200);
    expect(await layoutOf(building, window)).toBe(layout);
  },
);

it.each(["changed", "made anew in another zone"])(
  "what a pattern that is %s publishes beside a claimed piece is one with it",
  async (how) => {
    const pattern = await patternOf(owner, { ...threeDays(spot), last_day: dayAfter(3) });
    const [window] = await windowsOf(owner, spot);
    const { body } = await claimer.post<{ claim: Claim }>(
      "/claims",
      {
        availability_id: window?.id,
        start_time: `${dayAfter(3)}T12:00:00Z`,
        end_time: `${dayAfter(3)}T13:00:00Z`,
      },
      201,
    );
    if (how === "changed") {
      await owner.put(`/patterns/${pattern.id}`, { ends_at: "19:00" }, 200);
    } else {
      await setZone(building, "Etc/GMT-1"); // an hour before UTC
      await building.rows("select private.extend_pattern($1, $2)", [pattern.id, owner.id]);
      await setZone(building, "UTC");
    }
    await cancel(body.claim);
    expect(timesOf(await windowsOf(owner, spot))).toEqual([
      how === "changed" ? on(3, "08:00", "19:00") : on(3, "07:00", "17:00"),
    ]);
  },
);
