import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { claimOf, hours, spotOf, useBuilding, windowOf } from "../support/building.ts";
import { except, expectOrder, offered, offeredHours, undo } from "../support/exceptions.ts";
import { setLimits, setSectionLimits } from "../support/limits.ts";
import type { Person } from "../support/person.ts";
import { stored } from "../support/rows.ts";

const building = useBuilding();
let owner: Person;
let neighbour: Person;
beforeAll(async () => {
  owner = await building.resident();
  neighbour = await building.resident();
});
afterEach(async () => {
  await setLimits(building, {});
  await expectOrder(building);
});

describe("DELETE /exceptions/{id}", () => {
  it("says what is gone; then it is", async () => {
    const made = await except(owner, "keep", null, 100, 101);
    expect((await undo(owner, made)).body).toEqual({
      message: "Exception deleted successfully",
      deleted_exception_id: made.exception.id,
    });
    expect(answerOf(await owner.get(`/exceptions/${made.exception.id}`))).toEqual(
      refusal(404, "Exception not found"),
    );
  });

  it("offers again what it took, each window as it was", async () => {
    const spot = await spotOf(owner);
    const spans = [
      [2, 8],
      [8, 12],
      [12, 14],
      [14, 16],
      [19, 22],
    ];
    for (const [from, to] of spans) await windowOf(owner, spot, from, to);
    const around = await spotOf(owner);
    const window = await windowOf(owner, around, 5, 30);

    await undo(owner, await except(owner, "keep", null, 10, 20));

    expect(await offeredHours(owner, spot)).toEqual(spans);
    expect(await offered(owner, around)).toMatchObject([
      { id: window.id, start_time: hours(5), end_time: hours(30) },
    ]);
  });

  it("withdraws what it published, but for what was claimed or given other times since", async () => {
    const spot = await spotOf(owner);
    await windowOf(owner, spot, 9, 10);
    await windowOf(owner, spot, 12, 13);
    await windowOf(owner, spot, 15, 16);
    const made = await except(owner, "share", spot, 9, 20);
    const published = await offered(owner, spot);
    const windowAt = (hour: number) => {
      const found = published.find(({ start_time }) => start_time === hours(hour));
      if (!found) throw new Error(`no window at ${hour}`);
      return found;
    };
    await claimOf(neighbour, windowAt(10));
    await owner.put(`/availabilities/${windowAt(16).id}`, { end_time: hours(21) }, 200);

    await undo(owner, made);

    expect(await offeredHours(owner, spot)).toEqual([
      [9, 10],
      [12, 13],
      [15, 16],
      [16, 21],
    ]);
  });

  it("offers what an exception shares that was made while the owner needed it", async () => {
    const spot = await spotOf(owner);
    const needed = await except(owner, "keep", spot, 30, 36);
    const away = await except(owner, "share", spot, 24, 48);
    await undo(owner, needed);
    expect(await offeredHours(owner, spot)).toEqual([[24, 48]]);
    await undo(owner, away);
    expect(await offeredHours(owner, spot)).toEqual([]);
  });

  it("leaves withdrawn what its owner withdrew by hand of what another exception shares", async () => {
    const spot = await spotOf(owner);
    const away = await except(owner, "share", spot, 24, 48);
    const [published] = await offered(owner, spot);
    await owner.delete(`/availabilities/${published?.id}`, 200);
    await undo(owner, await except(owner, "keep", spot, 40, 44));
    expect(await offeredHours(owner, spot)).toEqual([]);
    const other = await except(owner, "share", spot, 47, 60);
    const shared = await offered(owner, spot);
    for (const window of shared) await owner.delete(`/availabilities/${window.id}`, 200);
    await undo(owner, other);
    expect(await offeredHours(owner, spot)).toEqual([]);
    await undo(owner, away);
  });

  it("shares nothing of a spot that came after the exception that shares all", async () => {
    const spot = await spotOf(owner);
    const needed = await except(owner, "keep", null, 30, 36);
    const away = await except(owner, "share", null, 24, 48);
    const later = await spotOf(owner);
    await undo(owner, await except(owner, "share", spot, 24, 60));
    await undo(owner, needed);
    expect(await offeredHours(owner, spot)).toEqual([[24, 48]]);
    expect(await offeredHours(owner, later)).toEqual([]);
    await undo(owner, away);
  });

  it("leaves on offer what another exception shares, also where a limit forbids to publish it by then", async () => {
    const spot = await spotOf(owner);
    const first = await except(owner, "share", spot, 24, 60);
    const second = await except(owner, "share", spot, 48, 72);
    await setLimits(building, { horizon_days: 1 });
    await undo(owner, first);
    expect(await offeredHours(owner, spot)).toEqual([
      [48, 60],
      [60, 72],
    ]);
    await undo(owner, second);
  });

  it("offers what another exception shares of all spots where only one has a limit", async () => {
    const spots = [await spotOf(owner, "Limited"), await spotOf(owner)];
    const first = await except(owner, "share", null, 24, 60);
    const second = await except(owner, "share", null, 48, 72);
    await setSectionLimits(building, "Limited", { horizon_days: 1 });
    await undo(owner, first);
    expect(await Promise.all(spots.map((spot) => offeredHours(owner, spot)))).toEqual([
      [
        [48, 60],
        [60, 72],
      ],
      [[48, 72]],
    ]);
    await undo(owner, second);
  });
});

describe("an exception goes", () => {
  it("with its spot", async () => {
    const spot = await spotOf(owner);
    await windowOf(owner, spot, 5, 30);
    const { exception } = await except(owner, "keep", spot, 10, 20);
    const all = await except(owner, "keep", null, 12, 28);
    await owner.delete(`/parking-spots/${spot.id}`, 200);
    await owner.get(`/exceptions/${exception.id}`, 404);
    await undo(owner, all);
  });

  it("with the data of a person who is erased, and nothing is on offer again", async () => {
    const [administrator, leaver] = [await building.administrator(), await building.resident()];
    const spot = await spotOf(leaver);
    await windowOf(leaver, spot, 5, 30);
    const claim = await claimOf(neighbour, await windowOf(leaver, spot, 40, 50));
    await except(leaver, "keep", null, 10, 60);
    await administrator.delete(`/admin/profiles/${leaver.id}?reason=left`, 200);
    expect(
      await building.rows("select from parking.exceptions where owner_id = $1", [leaver.id]),
    ).toEqual([]);
    expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "cancelled" });
  });
});
