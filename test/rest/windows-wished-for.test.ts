import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { claimOf, hours, type Spot, spotOf, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { toldTo as messagesTo, seen, tell, wishOf } from "../support/wishes.ts";

const building = useBuilding();
let administrator: Person;
let owner: Person;
let waiting: Person;
let other: Person;
beforeAll(async () => {
  administrator = await building.administrator();
  owner = await building.resident();
  [waiting, other] = [await building.resident(), await building.resident()];
});
afterEach(async () => {
  await building.rows("delete from parking.wishes");
  await building.rows("delete from parking.notifications");
});

/** After the job has looked. */
const toldTo = async (person: Person) => {
  await tell(building);
  return messagesTo(person);
};

describe("a window that becomes free", () => {
  let spot: Spot;
  const fresh = async (section?: string) => {
    spot = await spotOf(owner, section);
    return spot;
  };

  it("is told to those whose wish it fits: when it is published", async () => {
    const wish = await wishOf(waiting);

    const window = await windowOf(owner, await fresh(), 1, 5);
    await tell(building);

    expect(await seen(waiting, wish)).toMatchObject({ availability_id: window.id });
    expect(await seen(waiting, wish)).not.toHaveProperty("offered_until");
    expect(await toldTo(waiting)).toMatchObject([
      {
        id: wish.id,
        message: expect.stringMatching(
          `^Parking spot ${spot.spot_number} is free from .* to .* UTC, as you wished$`,
        ),
        availability_id: window.id,
        spot_id: spot.id,
        claim_id: null,
        is_read: false,
      },
    ]);
    expect(await toldTo(owner)).toEqual([]);
  });

  it.each(["cancelled", "deleted"])("is told when its claim is %s", async (how) => {
    const window = await windowOf(owner, await fresh());
    const claim = await claimOf(other, window);
    const wish = await wishOf(waiting);
    expect(await toldTo(waiting)).toEqual([]);

    if (how === "deleted") await other.delete(`/claims/${claim.id}`, 200);
    else await other.put(`/claims/${claim.id}`, { status: "cancelled" }, 200);

    expect(await toldTo(waiting)).toMatchObject([{ id: wish.id, availability_id: window.id }]);
  });

  it("is told when it is made longer, and not when it is made shorter", async () => {
    const window = await windowOf(owner, await fresh(), 1, 3);
    await wishOf(waiting, 2, 4);
    await owner.put(`/availabilities/${window.id}`, { start_time: hours(2) }, 200);
    expect(await toldTo(waiting)).toEqual([]);
    await owner.put(`/availabilities/${window.id}`, { end_time: hours(4) }, 200);
    expect(await toldTo(waiting)).toHaveLength(1);
  });

  it.each([
    ["another section", () => wishOf(waiting, 3, 4, { building_section: "South" })],
    ["another spot", async () => wishOf(waiting, 3, 4, { spot_id: (await spotOf(owner)).id })],
    ["an earlier start", () => wishOf(waiting, 1, 4)],
    ["a later end", () => wishOf(waiting, 3, 6)],
  ])("is not told to those who want %s", async (_what, wish) => {
    await wish();
    await windowOf(owner, await fresh(), 2, 5);
    expect(await toldTo(waiting)).toEqual([]);
  });

  it("is told to those who want its section, its spot, or just its times", async () => {
    await fresh();
    const section = await wishOf(waiting, 2, 4, { building_section: "North" });
    const itself = await wishOf(other, 1, 5, { spot_id: spot.id });
    await windowOf(owner, spot, 1, 5);
    expect(await toldTo(waiting)).toMatchObject([{ id: section.id }]);
    expect(await toldTo(other)).toMatchObject([{ id: itself.id }]);
  });

  it("is not told to its owner, nor to who freed it, nor to who is suspended", async () => {
    const window = await windowOf(owner, await fresh());
    const claim = await claimOf(other, window);
    await wishOf(owner);
    await wishOf(other);
    const suspended = await building.resident();
    await wishOf(suspended);
    await administrator.put(`/admin/profiles/${suspended.id}`, { is_approved: false }, 200);

    await other.delete(`/claims/${claim.id}`, 200);
    await tell(building);

    const told = await building.rows("select from parking.notifications where kind = 'wish.fits'");
    expect(told).toEqual([]);
  });

  it("is one message for a wish, however many windows fit, until it is read or gone", async () => {
    const wish = await wishOf(waiting);
    const publish = async () => {
      const window = await windowOf(owner, await fresh());
      await tell(building);
      return window;
    };
    const [first, second] = [await publish(), await publish()];
    expect(await toldTo(waiting)).toMatchObject([{ availability_id: first.id }]);

    await claimOf(other, first);
    expect(await toldTo(waiting)).toMatchObject([{ id: wish.id, availability_id: second.id }]);

    await waiting.put(`/notifications/${wish.id}`, { is_read: true }, 200);
    expect(await toldTo(waiting)).toMatchObject([{ availability_id: second.id, is_read: true }]);
    const third = await publish();
    expect(await toldTo(waiting)).toMatchObject([{ availability_id: third.id, is_read: false }]);
  });

  it("is told again, once it is free again, to who had read of it", async () => {
    const wish = await wishOf(waiting);
    const window = await windowOf(owner, await fresh());
    await tell(building);
    await waiting.put(`/notifications/${wish.id}`, { is_read: true }, 200);
    const { id } = await claimOf(other, window);
    expect(await toldTo(waiting)).toMatchObject([{ resolved_at: expect.any(String) }]);
    await other.delete(`/claims/${id}`, 200);
    expect(await toldTo(waiting)).toMatchObject([{ is_read: false, resolved_at: null }]);
  });

  it("is one message for a person with several wishes that it fits", async () => {
    const first = await wishOf(waiting, 2, 4);
    await wishOf(waiting, 2, 3);
    await windowOf(owner, await fresh());
    expect(await toldTo(waiting)).toMatchObject([{ id: first.id }]);
  });

  it("is not told twice when it comes and goes before the message is read", async () => {
    await wishOf(waiting);
    const window = await windowOf(owner, await fresh());
    for (let i = 0; i < 3; i++) {
      await other.delete(`/claims/${(await claimOf(other, window)).id}`, 200);
      await tell(building);
    }
    expect(await toldTo(waiting)).toHaveLength(1);
  });
});
