import { beforeEach, describe, expect, it } from "@jest/globals";
import { claimOf, type Spot, spotOf, useBuilding, type Window } from "../support/building.ts";
import {
  dayAfter,
  on,
  type Pattern,
  patternOf,
  threeDays,
  timesOf,
  windowsOf,
} from "../support/patterns.ts";
import type { Person } from "../support/person.ts";
import { backdate, everything } from "../support/rows.ts";

const building = useBuilding();
let owner: Person;
let spot: Spot;
beforeEach(async () => {
  owner = await building.resident();
  spot = await spotOf(owner);
});

describe("PUT /patterns/{id}", () => {
  it("makes the windows anew that nobody has claimed, and leaves those that are", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    const [first] = await windowsOf(owner, spot);
    const claimer = await building.resident();
    if (first) await claimOf(claimer, first);

    const { body } = await owner.put<{ pattern: Pattern }>(
      `/patterns/${pattern.id}`,
      { starts_at: "10:00", ends_at: "12:00", last_day: dayAfter(6) },
      200,
    );

    expect(body.pattern).toMatchObject({ starts_at: "10:00", last_day: dayAfter(6) });
    const windows = await windowsOf(owner, spot);
    expect(timesOf(windows)).toEqual([
      on(3, "08:00", "18:00"),
      ...[4, 5, 6].map((day) => on(day, "10:00", "12:00")),
    ]);
    expect(new Set(windows.map(({ pattern_id }) => pattern_id))).toEqual(new Set([pattern.id]));
    expect((await owner.get("/notifications?is_read=false", 200)).body).toMatchObject({
      notifications: [{ kind: "claim.submitted" }],
    });
  });

  it("publishes what a claimed window leaves of the new hours", async () => {
    const night = { ...threeDays(spot), starts_at: "20:00", ends_at: "08:00" };
    const pattern = await patternOf(owner, night);
    const [, second] = await windowsOf(owner, spot);
    const claimer = await building.resident();
    if (second) await claimOf(claimer, second);

    await owner.put(`/patterns/${pattern.id}`, { starts_at: "06:00", ends_at: "22:00" }, 200);

    expect(timesOf(await windowsOf(owner, spot))).toEqual([
      on(3, "06:00", "22:00"),
      on(4, "06:00", "20:00"),
      `${dayAfter(4)}T20:00 – ${dayAfter(5)}T08:00`,
      on(5, "08:00", "22:00"),
    ]);
    expect((await owner.get("/notifications?is_read=false", 200)).body).toMatchObject({
      notifications: [{ kind: "claim.submitted" }],
    });
  });

  it("clears the last day", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    const { body } = await owner.put<{ pattern: Pattern }>(
      `/patterns/${pattern.id}`,
      { last_day: null },
      200,
    );
    expect(body.pattern.last_day).toBeNull();
    expect((await windowsOf(owner, spot)).length).toBeGreaterThan(20);
  });

  it.each([{}, { ends_at: "18:00", last_day: dayAfter(5) }])(
    "changes nothing where nothing is changed: %j",
    async (change) => {
      const pattern = await patternOf(owner, threeDays(spot));
      const before = await everything(building);
      expect((await owner.put(`/patterns/${pattern.id}`, change, 200)).body).toEqual({ pattern });
      expect(await everything(building)).toEqual(before);
    },
  );

  it("does not bring back what was withdrawn or moved by hand", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    const [withdrawn, moved] = await windowsOf(owner, spot);
    await owner.delete(`/availabilities/${withdrawn?.id}`, 200);
    const { body } = await owner.put<{ availability: object }>(
      `/availabilities/${moved?.id}`,
      { start_time: `${dayAfter(4)}T12:00:00Z` },
      200,
    );
    expect(body.availability).not.toHaveProperty("pattern_id");

    await owner.put(`/patterns/${pattern.id}`, { ends_at: "17:00" }, 200);

    const left = [on(4, "12:00", "18:00"), on(5, "08:00", "17:00")];
    expect(timesOf(await windowsOf(owner, spot))).toEqual(left);
    await owner.delete(`/patterns/${pattern.id}`, 200);
    expect(timesOf(await windowsOf(owner, spot))).toEqual(left.slice(0, 1));
  });

  it("leaves out no more of a day than the time that was withdrawn by hand", async () => {
    const pattern = await patternOf(owner, { ...threeDays(spot), last_day: dayAfter(3) });
    const [window] = await windowsOf(owner, spot);
    await owner.delete(`/availabilities/${window?.id}`, 200);

    await owner.put(`/patterns/${pattern.id}`, { starts_at: "07:00", ends_at: "19:00" }, 200);

    expect(timesOf(await windowsOf(owner, spot))).toEqual([
      on(3, "07:00", "08:00"),
      on(3, "18:00", "19:00"),
    ]);
  });

  it("does not bring back what an administrator removed", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    const [removed] = await windowsOf(owner, spot);
    const administrator = await building.administrator();
    await administrator.delete(`/admin/availabilities/${removed?.id}?reason=works`, 200);

    await owner.put(`/patterns/${pattern.id}`, { ends_at: "17:00" }, 200);

    expect(timesOf(await windowsOf(owner, spot))).toEqual(
      [4, 5].map((day) => on(day, "08:00", "17:00")),
    );
  });

  it("leaves what has begun", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    const [begun] = await windowsOf(owner, spot);
    if (begun) await backdate(building, "availabilities", begun, -2, 2);
    await building.rows("select private.recount()"); // triggers did not count these times

    await owner.put(`/patterns/${pattern.id}`, { ends_at: "17:00" }, 200);

    expect((await windowsOf(owner, spot)).map(({ id }) => id)).toContain(begun?.id);
  });

  it("keeps cancelled claims", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    const [first] = await windowsOf(owner, spot);
    if (!first) throw new Error("no window");
    const claimer = await building.resident();
    const { id } = await claimOf(claimer, first);
    const { body } = await claimer.put(`/claims/${id}`, { status: "cancelled" }, 200);

    await owner.put(`/patterns/${pattern.id}`, { ends_at: "17:00" }, 200);

    expect((await claimer.get(`/claims/${id}`, 200)).body).toEqual(body);
    expect(timesOf(await windowsOf(owner, spot)).slice(-3)).toEqual(
      [3, 4, 5].map((day) => on(day, "08:00", "17:00")),
    );
    expect(await building.rows("select * from private.count_drifts")).toEqual([]);
  });
});

describe("DELETE /patterns/{id}", () => {
  it("withdraws what nobody has claimed, and says what stays", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    const windows = await windowsOf(owner, spot);
    const claimer = await building.resident();
    if (windows[1]) await claimOf(claimer, windows[1]);

    expect((await owner.delete(`/patterns/${pattern.id}`, 200)).body).toEqual({
      message: "Pattern deleted successfully",
      deleted_pattern_id: pattern.id,
      claimed_availability_ids: [windows[1]?.id],
    });
    const [left, ...others] = await windowsOf(owner, spot);
    expect(left?.id).toBe(windows[1]?.id);
    expect(left).not.toHaveProperty("pattern_id");
    expect(others).toEqual([]);
    await owner.delete(`/patterns/${pattern.id}`, 404);
    expect(await building.rows("select * from private.count_drifts")).toEqual([]);
  });
});

describe("PUT /availabilities/{id} of a window of a pattern", () => {
  it("leaves it to the pattern where it has these times already", async () => {
    const { id } = await patternOf(owner, threeDays(spot));
    const [first] = await windowsOf(owner, spot);
    const { start_time, end_time } = first ?? {};
    await owner.put(`/availabilities/${first?.id}`, { start_time, end_time }, 200);
    expect(await windowsOf(owner, spot)).toMatchObject([{ id: first?.id, pattern_id: id }, {}, {}]);
    await owner.delete(`/patterns/${id}`, 200);
    expect(await windowsOf(owner, spot)).toEqual([]);
  });
});

describe("a pattern", () => {
  it("ends with its spot", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    await owner.delete(`/parking-spots/${spot.id}`, 200);
    await owner.get(`/patterns/${pattern.id}`, 404);
    expect(await windowsOf(owner, spot)).toEqual([]);
  });

  it("ends with the erasure of its owner; the claim of a window stays, cancelled", async () => {
    await patternOf(owner, threeDays(spot));
    const [first] = await windowsOf(owner, spot);
    const claimer = await building.resident();
    const claim = await claimOf(claimer, first as Window);
    const administrator = await building.administrator();

    await administrator.delete(`/admin/profiles/${owner.id}?reason=left`, 200);

    expect(
      await building.rows("select from parking.patterns where owner_id = $1", [owner.id]),
    ).toEqual([]);
    const { body } = await claimer.get<{ claim: object }>(`/claims/${claim.id}`, 200);
    expect(body.claim).toMatchObject({ status: "cancelled", availability_id: first?.id });
    expect(await windowsOf(claimer, spot)).toEqual([]);
  });

  it("is in the log, as its owner saw it", async () => {
    const pattern = await patternOf(owner, threeDays(spot));
    await owner.put(`/patterns/${pattern.id}`, { ends_at: "17:00" }, 200);
    await owner.delete(`/patterns/${pattern.id}`, 200);
    const events = await building.rows<{ type: string; data: object }>(
      "select type, private.event_data(type, data) as data from private.events where subject_id = $1 order by id",
      [pattern.id],
    );
    expect(events.map(({ type }) => type)).toEqual([
      "pattern.created",
      "pattern.updated",
      "pattern.deleted",
    ]);
    expect(Object.keys(events[0]?.data ?? {}).toSorted()).toEqual(Object.keys(pattern).toSorted());
  });
});
