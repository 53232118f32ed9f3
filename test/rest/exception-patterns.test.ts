import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { claimOf, type Spot, spotOf, useBuilding, type Window } from "../support/building.ts";
import { type Answered, expectOrder, free, offered, undo } from "../support/exceptions.ts";
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

const times = async (spot: Spot) => timesOf(await free(owner, spot));

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
});

describe("a time in which the owner of a pattern is away", () => {
  it("is one window, which comes before the pattern whichever was first, until it ends", async () => {
    const spot = await spotOf(owner);
    const first = await except("share", spot, "06:00", "12:00");
    await patternOf(owner, threeDays(spot));
    expect(await times(spot)).toEqual([
      all[0],
      on(4, "06:00", "12:00"),
      on(4, "12:00", "18:00"),
      all[2],
    ]);
    const second = await except("share", spot, "12:00", "20:00");
    expect(await times(spot)).toEqual([
      all[0],
      on(4, "06:00", "12:00"),
      on(4, "12:00", "20:00"),
      all[2],
    ]);
    await undo(owner, first);
    await undo(owner, second);
    expect(await times(spot)).toEqual(all);
  });
});

describe("a pattern that changes while its owner needs the spot", () => {
  it("has its new hours beside a claim, once the exception is deleted", async () => {
    const spot = await spotOf(owner);
    const day = { ...threeDays(spot), first_day: dayAfter(4), last_day: dayAfter(4) };
    const { id } = await patternOf(owner, { ...day, ends_at: "12:00" });
    const [window] = await offered(owner, spot);
    await claimOf(neighbour, window as Window);
    const made = await except("keep", spot, "12:00", "18:00");
    await owner.put(`/patterns/${id}`, { ends_at: "18:00" }, 200);
    expect(await times(spot)).toEqual([]);

    await undo(owner, made);
    expect(await times(spot)).toEqual([on(4, "12:00", "18:00")]);
  });
});

describe("a time that the owner of a pattern shares", () => {
  it.each([
    ["ends", async (id: string) => owner.delete(`/patterns/${id}`, 200)],
    ["changes", async (id: string) => owner.put(`/patterns/${id}`, { ends_at: "12:00" }, 200)],
  ])("stays on offer when a pattern in it %s", async (_how, change) => {
    const spot = await spotOf(owner);
    const { id } = await patternOf(owner, threeDays(spot));
    const made = await except("share", spot, "06:00", "20:00");
    await change(id);
    expect(await times(spot)).toContain(on(4, "06:00", "20:00"));
    await undo(owner, made);
    expect(await times(spot)).not.toContain(all[1]);
  });

  it("stays withdrawn where the owner withdrew it by hand, also after they needed the spot", async () => {
    const spot = await spotOf(owner);
    await patternOf(owner, threeDays(spot));
    const made = await except("share", spot, "06:00", "20:00");
    const day = (await offered(owner, spot))[1];
    await owner.delete(`/availabilities/${day?.id}`, 200);
    expect(await times(spot)).toEqual(all); // the pattern still shares its hours
    await undo(owner, await except("keep", spot, "10:00", "12:00"));
    expect(await times(spot)).toEqual(all);
    await undo(owner, made);
  });
});
