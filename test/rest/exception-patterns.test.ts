import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { claimOf, type Spot, spotOf, useBuilding } from "../support/building.ts";
import { type Answered, expectOrder, offered, undo } from "../support/exceptions.ts";
import { dayAfter, on, patternOf, previewOf, threeDays, timesOf } from "../support/patterns.ts";
import type { Person } from "../support/person.ts";

const building = useBuilding();
let owner: Person;
let neighbour: Person;
beforeAll(async () => {
  owner = await building.resident();
  neighbour = await building.resident();
});
afterEach(() => expectOrder(building));

const all = [on(3, "08:00", "18:00"), on(4, "08:00", "18:00"), on(5, "08:00", "18:00")];

/** An exception of the fourth day, between these times of day. */
async function except(kind: string, spot: Spot, from: string, until: string): Promise<Answered> {
  const body = {
    kind,
    spot_id: spot.id,
    start_time: `${dayAfter(4)}T${from}:00Z`,
    end_time: `${dayAfter(4)}T${until}:00Z`,
  };
  return (await owner.post<Answered>("/exceptions", body, 201)).body;
}

const times = async (spot: Spot) => timesOf(await offered(owner, spot));

describe("a time that the owner of a pattern needs", () => {
  it("is taken from its windows, and comes back as theirs", async () => {
    const spot = await spotOf(owner);
    const { id } = await patternOf(owner, threeDays(spot));
    const middle = await except("keep", spot, "10:00", "12:00");
    expect(await times(spot)).toEqual([
      all[0],
      on(4, "08:00", "10:00"),
      on(4, "12:00", "18:00"),
      all[2],
    ]);
    const day = await except("keep", spot, "00:00", "23:00");
    expect(await times(spot)).toEqual([all[0], all[2]]);

    await undo(owner, day);
    await undo(owner, middle);

    expect(await times(spot)).toEqual(all);
    await owner.delete(`/patterns/${id}`, 200);
    expect(await times(spot)).toEqual([]);
  });

  it("is left out of a new pattern, which has it once the exception is deleted", async () => {
    const spot = await spotOf(owner);
    const made = await except("keep", spot, "00:00", "23:00");
    expect((await previewOf(owner, threeDays(spot))).map(({ outcome }) => outcome)).toEqual([
      "published",
      "kept",
      "published",
    ]);
    const { id } = await patternOf(owner, threeDays(spot));
    expect(await times(spot)).toEqual([all[0], all[2]]);

    await undo(owner, made);

    expect(await offered(owner, spot)).toMatchObject(all.map(() => ({ pattern_id: id })));
    expect(await times(spot)).toEqual(all);
  });

  it.each([
    ["00:00", "23:00"],
    ["10:00", "12:00"],
  ])(
    "does not come back as a pattern had it that has changed since (%s to %s)",
    async (from, until) => {
      const spot = await spotOf(owner);
      const { id } = await patternOf(owner, threeDays(spot));
      const made = await except("keep", spot, from, until);
      await owner.put(`/patterns/${id}`, { ends_at: "17:00" }, 200);
      await undo(owner, made);
      expect(await times(spot)).toEqual([
        on(3, "08:00", "17:00"),
        on(4, "08:00", "17:00"),
        on(5, "08:00", "17:00"),
      ]);
    },
  );

  it("does not come back where its pattern has ended since", async () => {
    const spot = await spotOf(owner);
    const { id } = await patternOf(owner, threeDays(spot));
    const made = await except("keep", spot, "10:00", "23:00");
    await owner.delete(`/patterns/${id}`, 200);
    await undo(owner, made);
    expect(await times(spot)).toEqual([]);
  });

  it("comes back as the pattern's where a neighbour has claimed what was left", async () => {
    const spot = await spotOf(owner);
    const { id } = await patternOf(owner, threeDays(spot));
    const made = await except("keep", spot, "10:00", "12:00");
    const left = (await offered(owner, spot))[1];
    if (!left) throw new Error("no window");
    await claimOf(neighbour, left);
    await undo(owner, made);
    expect(await times(spot)).toEqual([all[0], on(4, "10:00", "18:00"), all[2]]);
    expect((await offered(owner, spot))[1]).toMatchObject({ pattern_id: id });
  });

  it("is withdrawn when a claim frees it, with the claim kept", async () => {
    const spot = await spotOf(owner);
    const { id } = await patternOf(owner, threeDays(spot));
    const window = (await offered(owner, spot))[1];
    if (!window) throw new Error("no window");
    const claim = await claimOf(neighbour, window);
    const made = await except("keep", spot, "00:00", "23:00");
    expect(made.claims).toEqual([claim]);
    await neighbour.put(`/claims/${claim.id}`, { status: "cancelled" }, 200);
    expect(await times(spot)).toEqual([all[0], all[2]]);
    await neighbour.get(`/claims/${claim.id}`, 200);

    await undo(owner, made);
    expect(await offered(owner, spot)).toMatchObject(all.map(() => ({ pattern_id: id })));
  });
});

describe("a time in which the owner of a pattern is away", () => {
  it("is published beside the windows of the pattern, and without it alone", async () => {
    const spot = await spotOf(owner);
    await patternOf(owner, threeDays(spot));
    const made = await except("share", spot, "06:00", "20:00");
    expect(await times(spot)).toEqual([
      all[0],
      on(4, "06:00", "08:00"),
      all[1],
      on(4, "18:00", "20:00"),
      all[2],
    ]);
    await undo(owner, made);
    expect(await times(spot)).toEqual(all);
  });

  it("gives way to the pattern that it was in the way of, once it is deleted", async () => {
    const spot = await spotOf(owner);
    const made = await except("share", spot, "06:00", "20:00");
    await patternOf(owner, threeDays(spot));
    expect(await times(spot)).toEqual([all[0], on(4, "06:00", "20:00"), all[2]]);
    await undo(owner, made);
    expect(await times(spot)).toEqual(all);
  });
});

describe("a pattern that changes while its owner needs the spot", () => {
  /** A claimed window on the fourth day, until noon. */
  async function claimedUntilNoon(spot: Spot) {
    const window = (await offered(owner, spot)).find((it) => it.start_time > dayAfter(4));
    if (!window) throw new Error("no window");
    return claimOf(neighbour, window);
  }
  const fourthDay = (spot: Spot) => ({
    ...threeDays(spot),
    first_day: dayAfter(4),
    last_day: dayAfter(4),
  });

  it("does not offer again what was its time, once it is deleted", async () => {
    const spot = await spotOf(owner);
    const { id } = await patternOf(owner, fourthDay(spot));
    const made = await except("keep", spot, "12:00", "18:00");
    const claim = await claimedUntilNoon(spot);
    await owner.delete(`/patterns/${id}`, 200);
    await neighbour.put(`/claims/${claim.id}`, { status: "cancelled" }, 200);
    expect(await times(spot)).toEqual([on(4, "08:00", "12:00")]);

    await undo(owner, made);
    expect(await times(spot)).toEqual([on(4, "08:00", "12:00")]);
  });

  it("offers it again beside what its owner has not withdrawn", async () => {
    const spot = await spotOf(owner);
    await patternOf(owner, fourthDay(spot));
    const made = await except("keep", spot, "12:00", "14:00");
    const [morning] = await offered(owner, spot);
    await owner.delete(`/availabilities/${morning?.id}`, 200);
    await undo(owner, made);
    expect(await times(spot)).toEqual([on(4, "12:00", "18:00")]);
  });

  it("has its new hours beside a claim, once the exception is deleted", async () => {
    const spot = await spotOf(owner);
    const { id } = await patternOf(owner, { ...fourthDay(spot), ends_at: "12:00" });
    await claimedUntilNoon(spot);
    const made = await except("keep", spot, "12:00", "18:00");
    await owner.put(`/patterns/${id}`, { ends_at: "18:00" }, 200);
    expect(await times(spot)).toEqual([]);

    await undo(owner, made);
    expect(await times(spot)).toEqual([on(4, "12:00", "18:00")]);
  });
});

describe("a time that the owner of a pattern shares", () => {
  it("stays on offer when a pattern in it ends", async () => {
    const spot = await spotOf(owner);
    const { id } = await patternOf(owner, threeDays(spot));
    const made = await except("share", spot, "06:00", "20:00");
    await owner.delete(`/patterns/${id}`, 200);
    expect(await times(spot)).toEqual([
      on(4, "06:00", "08:00"),
      on(4, "08:00", "18:00"),
      on(4, "18:00", "20:00"),
    ]);
    await undo(owner, made);
    expect(await times(spot)).toEqual([]);
  });

  it("stays on offer when a pattern in it changes, and a preview changes nothing", async () => {
    const spot = await spotOf(owner);
    const { id } = await patternOf(owner, threeDays(spot));
    const made = await except("share", spot, "06:00", "20:00");
    const before = await times(spot);
    const shorter = { ...threeDays(spot), ends_at: "12:00" };
    await previewOf(owner, { ...shorter, pattern_id: id });
    expect(await times(spot)).toEqual(before);
    await owner.put(`/patterns/${id}`, { ends_at: "12:00" }, 200);
    expect(await times(spot)).toEqual([
      on(3, "08:00", "12:00"),
      on(4, "06:00", "08:00"),
      on(4, "08:00", "12:00"),
      on(4, "12:00", "18:00"),
      on(4, "18:00", "20:00"),
      on(5, "08:00", "12:00"),
    ]);
    await undo(owner, made);
    expect(await times(spot)).toHaveLength(3);
  });

  it("stays withdrawn where the owner withdrew it by hand, also after they needed the spot", async () => {
    const spot = await spotOf(owner);
    await patternOf(owner, threeDays(spot));
    const made = await except("share", spot, "06:00", "20:00");
    const day = (await offered(owner, spot)).find((it) =>
      it.start_time.startsWith(`${dayAfter(4)}T08`),
    );
    await owner.delete(`/availabilities/${day?.id}`, 200);
    const without = await times(spot);
    await undo(owner, await except("keep", spot, "10:00", "12:00"));
    expect(await times(spot)).toEqual(without);
    await undo(owner, made);
  });
});
