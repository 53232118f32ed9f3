import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, refusalOf } from "../support/answers.ts";
import {
  type Claim,
  claimOf,
  hours,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import {
  type Answered,
  except,
  expectOrder,
  offered,
  offeredHours,
  undo,
} from "../support/exceptions.ts";
import { setLimits, setSectionLimits } from "../support/limits.ts";
import type { Person } from "../support/person.ts";
import { backdateStart, everything, stored } from "../support/rows.ts";

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

describe("POST /exceptions of kind keep", () => {
  it("answers with the exception, which its owner reads from then on", async () => {
    const spot = await spotOf(owner);
    const body = {
      spot_id: spot.id,
      kind: "keep",
      start_time: hours(10),
      end_time: hours(20),
    };
    const made = await owner.post<Answered>("/exceptions", body, 201);
    const { id } = made.body.exception;

    expect(made.body).toEqual({
      exception: {
        id,
        ...body,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
      claims: [],
    });
    expect(made.headers.get("Location")).toBe(`/api/exceptions/${id}`);
    const read = await owner.get(`/exceptions/${id}`, 200);
    expect(read.body).toEqual(made.body);
    expect(read.headers.get("ETag")).toBe(made.headers.get("ETag"));
    const list = await owner.get(`/exceptions?spot_id=${spot.id}`, 200);
    expect(list.body).toEqual({ exceptions: [made.body.exception], total: 1 });
  });

  it("withdraws free windows in it, cuts those that overlap its edges, and leaves the others", async () => {
    const spot = await spotOf(owner);
    for (const [from, to] of [
      [2, 8],
      [8, 12],
      [12, 14],
      [14, 16],
      [19, 22],
      [22, 24],
    ] as const)
      await windowOf(owner, spot, from, to);
    const other = await spotOf(owner);
    await windowOf(owner, other, 12, 14);

    await except(owner, "keep", spot, 10, 20);

    expect(await offeredHours(owner, spot)).toEqual([
      [2, 8],
      [8, 10],
      [20, 22],
      [22, 24],
    ]);
    expect(await offeredHours(owner, other)).toEqual([[12, 14]]);
  });

  it("cuts a window around it in two", async () => {
    const spot = await spotOf(owner);
    const window = await windowOf(owner, spot, 5, 30);
    await except(owner, "keep", spot, 10, 20);
    expect(await offeredHours(owner, spot)).toEqual([
      [5, 10],
      [20, 30],
    ]);
    expect((await offered(owner, spot))[0]?.id).toBe(window.id);
  });

  it("ends a window that has begun, also one that is to go on after it", async () => {
    const spot = await spotOf(owner);
    const window = await windowOf(owner, spot, 5, 30);
    await backdateStart(building, window, hours(-30));
    await building.rows("select private.recount()");

    const { exception } = await except(owner, "keep", spot, -20, 20);

    expect(await offeredHours(owner, spot)).toEqual([[20, 30]]);
    expect(exception.start_time).toBe(hours(-20));
    const begun = await stored(building, "availabilities", window.id);
    expect(begun).toMatchObject({ start_time: new Date(hours(-30)) });
    const { body } = await owner.get<{ availability: Window }>(`/availabilities/${window.id}`, 200);
    expect(Math.abs(Date.parse(body.availability.end_time) - Date.now())).toBeLessThan(600_000);
  });

  it("is about all own spots where it names none", async () => {
    const [manager, other] = [await building.resident(), await building.resident()];
    const spots = [await spotOf(manager), await spotOf(manager)];
    const foreign = await spotOf(other);
    for (const spot of spots) await windowOf(manager, spot, 5, 15);
    await windowOf(other, foreign, 5, 15);

    const { exception } = await except(manager, "keep", null, 1, 20);

    expect(exception.spot_id).toBeNull();
    for (const spot of spots) expect(await offeredHours(owner, spot)).toEqual([]);
    expect(await offeredHours(owner, foreign)).toEqual([[5, 15]]);
  });

  it("leaves claimed windows, and lists the claims in it by start", async () => {
    const spot = await spotOf(owner);
    const later = await claimOf(neighbour, await windowOf(owner, spot, 15, 18));
    const earlier = await claimOf(neighbour, await windowOf(owner, spot, 8, 11));
    await claimOf(neighbour, await windowOf(owner, spot, 20, 22));
    const cancelled = await claimOf(neighbour, await windowOf(owner, spot, 12, 13));
    await neighbour.put(`/claims/${cancelled.id}`, { status: "cancelled" }, 200);

    const made = await except(owner, "keep", spot, 10, 20);

    expect(made.claims).toEqual([earlier, later]);
    const read = await owner.get<Answered>(`/exceptions/${made.exception.id}`, 200);
    expect(read.body.claims).toEqual([earlier, later]);
    for (const { id } of [earlier, later])
      expect(await stored(building, "claims", id)).toMatchObject({ status: "active" });
  });

  it("keeps the cancelled claims of a window that it withdraws, and nobody can claim that", async () => {
    const spot = await spotOf(owner);
    const windows = [await windowOf(owner, spot, 11, 12), await windowOf(owner, spot, 13, 14)];
    const claims = [];
    for (const window of windows) claims.push(await claimOf(neighbour, window));
    for (const { id } of claims) await neighbour.put(`/claims/${id}`, { status: "cancelled" }, 200);

    await except(owner, "keep", spot, 10, 20);

    expect(await offered(owner, spot)).toEqual([]);
    for (const { id } of claims)
      expect(
        (await neighbour.get<{ claim: Claim }>(`/claims/${id}`, 200)).body.claim,
      ).toMatchObject({ status: "cancelled" });
    for (const { id } of windows) {
      const { body } = await owner.get<{ availability: Window }>(`/availabilities/${id}`, 200);
      const { start_time, end_time } = body.availability;
      expect(Date.parse(end_time)).toBeLessThan(Date.now());
      const claim = { availability_id: id, start_time, end_time };
      expect(answerOf(await neighbour.post("/claims", claim))).toEqual(
        refusalOf("start_time", 400, "start_time must be in the future"),
      );
    }
    const kinds = "select from parking.notifications where spot_id = $1 and kind like 'avail%'";
    expect(await building.rows(kinds, [spot.id])).toEqual([]);
  });

  it("withdraws a claimed window as soon as its claim is cancelled or deleted", async () => {
    const spot = await spotOf(owner);
    const [first, second, third] = [
      await claimOf(neighbour, await windowOf(owner, spot, 5, 12)),
      await claimOf(neighbour, await windowOf(owner, spot, 13, 14)),
      await claimOf(neighbour, await windowOf(owner, spot, 18, 25)),
    ];
    const made = await except(owner, "keep", spot, 10, 20);
    expect(made.claims).toHaveLength(3);

    await neighbour.put(`/claims/${first.id}`, { status: "cancelled" }, 200);
    await neighbour.delete(`/claims/${second.id}`, 200);
    await neighbour.delete(`/claims/${third.id}`, 200);

    expect(await offeredHours(owner, spot)).toEqual([
      [5, 10],
      [20, 25],
    ]);
    const kinds = "select from parking.notifications where spot_id = $1 and kind like 'avail%'";
    expect(await building.rows(kinds, [spot.id])).toEqual([]);

    await undo(owner, made);
    expect(await offeredHours(owner, spot)).toEqual([
      [5, 12],
      [13, 14],
      [18, 25],
    ]);
  });
});

describe("POST /exceptions of kind share", () => {
  it("publishes what is not on offer yet", async () => {
    const spot = await spotOf(owner);
    await windowOf(owner, spot, 5, 12);
    await claimOf(neighbour, await windowOf(owner, spot, 14, 16));
    await except(owner, "share", spot, 10, 20);
    expect(await offeredHours(owner, spot)).toEqual([
      [5, 12],
      [12, 14],
      [16, 20],
    ]);
  });

  it("publishes all own spots where it names none, from the next minutes on", async () => {
    const manager = await building.resident();
    const spots = [await spotOf(manager), await spotOf(manager)];
    const before = Date.now();
    await except(manager, "share", null, -100, 20);
    for (const spot of spots) {
      const windows = await offered(owner, spot);
      expect(windows).toMatchObject([{ end_time: hours(20) }]);
      const start = Date.parse(windows[0]?.start_time ?? "");
      expect(start % 60_000).toBe(0);
      expect(start).toBeGreaterThan(before);
    }
  });

  it("leaves out what another exception keeps", async () => {
    const spot = await spotOf(owner);
    const first = await except(owner, "keep", spot, 12, 14);
    const away = await except(owner, "share", spot, 10, 20);
    expect(await offeredHours(owner, spot)).toEqual([
      [10, 12],
      [14, 20],
    ]);
    const second = await except(owner, "keep", null, 16, 17);
    expect(await offeredHours(owner, spot)).toEqual([
      [10, 12],
      [14, 16],
      [17, 20],
    ]);
    for (const made of [away, first, second]) await undo(owner, made);
    expect(await offered(owner, spot)).toEqual([]);
  });

  it("publishes in windows as long as the building allows, and none that nobody could claim", async () => {
    const spot = await spotOf(owner);
    await windowOf(owner, spot, 9, 10);
    await windowOf(owner, spot, 11, 12);
    await setLimits(building, { longest_window_days: 1, shortest_claim_minutes: 120 });
    await except(owner, "share", spot, 10, 61);
    expect(await offeredHours(owner, spot)).toEqual([
      [9, 10],
      [11, 12],
      [12, 36],
      [36, 60],
    ]);
  });

  it("publishes in windows as long as the section of each spot allows", async () => {
    const manager = await building.resident();
    const [guests, other] = [await spotOf(manager, "Guests"), await spotOf(manager)];
    const limits = { longest_window_days: 1, shortest_claim_minutes: 120 };
    await setSectionLimits(building, "Guests", limits);
    await except(manager, "share", null, 10, 59);
    await building.rows("delete from parking.limits where building_section is not null");
    expect(await offeredHours(owner, guests)).toEqual([
      [10, 34],
      [34, 58],
    ]);
    expect(await offeredHours(owner, other)).toEqual([[10, 59]]);
  });

  it("is refused as a whole where a window would end too far ahead", async () => {
    const spot = await spotOf(owner);
    await setLimits(building, { horizon_days: 2 });
    const before = await everything(building);
    const answer = await owner.post("/exceptions", {
      kind: "share",
      start_time: hours(10),
      end_time: hours(100),
    });
    expect(answerOf(answer)).toEqual(
      refusalOf("end_time", 400, "The window ends further ahead than the building allows"),
    );
    expect(await offered(owner, spot)).toEqual([]);
    expect(await everything(building)).toEqual(before);
  });
});
