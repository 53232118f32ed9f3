import { expect, it } from "@jest/globals";
import {
  type Building,
  type Holding,
  hours,
  type Offer,
  spotOf,
  windowOf,
} from "../support/building.ts";
import { type Limits, setLimits } from "../support/limits.ts";
import { stored } from "../support/rows.ts";
import {
  insertClaim,
  insertClaimFor,
  insertWindow,
  moveClaim,
  moveWindow,
  refusedBy,
  setStatus,
} from "./support.ts";

/** A limit of the times of windows or claims, with times that it allows and others that it refuses. */
export interface TimesLimit {
  readonly rule: string;
  readonly limits: Partial<Limits>;
  readonly allowed: readonly [start: string, end: string];
  readonly refused: readonly [start: string, end: string];
}

const times = ([from, to]: TimesLimit["allowed"]) => ({
  start_time: new Date(from),
  end_time: new Date(to),
});

/** A spot with a free window from hour 10 to 60. */
export async function wideOffer(building: Building): Promise<Offer> {
  const [owner, claimer] = [await building.resident(), await building.resident()];
  const spot = await spotOf(owner);
  return { owner, claimer, spot, window: await windowOf(owner, spot, 10, 60) };
}

/** The same, with a claim from and to these times. */
export async function wideHolding(building: Building, from: string, to: string): Promise<Holding> {
  const offered = await wideOffer(building);
  await offered.claimer.sql(...insertClaim(offered.window, from, to));
  const [claim] = await building.rows<Holding["claim"]>(
    "select * from parking.claims where availability_id = $1",
    [offered.window.id],
  );
  if (!claim) throw new Error("no claim");
  return { ...offered, claim };
}

/** Declares the tests of a limit of windows. */
export function itLimitsWindows(
  arena: () => Building,
  { rule, limits, allowed, refused }: TimesLimit,
): void {
  const broken = refusedBy(rule);

  it("refuses to publish such a window, and does not without the limit", async () => {
    const building = arena();
    const owner = await building.resident();
    const spot = await spotOf(owner);

    await setLimits(building, limits);
    expect(await owner.sqlError(...insertWindow(spot, ...refused))).toMatchObject(broken);
    await owner.sql(...insertWindow(spot, ...allowed));

    await setLimits(building, {});
    await owner.sql(...insertWindow(await spotOf(owner), ...refused));
  });

  it("refuses to move a window to such times", async () => {
    const building = arena();
    const owner = await building.resident();
    const window = await windowOf(owner, await spotOf(owner), 31, 32);
    await setLimits(building, limits);

    expect(await owner.sqlError(...moveWindow(window, ...refused))).toMatchObject(broken);
    await owner.sql(...moveWindow(window, ...allowed));

    expect(await stored(building, "availabilities", window.id)).toMatchObject(times(allowed));
  });

  it("lets a window that was there before be claimed, written unchanged and deleted", async () => {
    const building = arena();
    const [owner, claimer] = [await building.resident(), await building.resident()];
    const spot = await spotOf(owner);
    const { rows } = await owner.sql<Offer["window"]>(...insertWindow(spot, ...refused));
    const window = { ...rows[0], start_time: refused[0], end_time: refused[1] } as Offer["window"];
    await setLimits(building, limits);

    await owner.sql(...moveWindow(window, ...refused));
    await claimer.sql(...insertClaim(window, ...allowed));
    await claimer.sql("delete from parking.claims where availability_id = $1", [window.id]);
    await owner.sql("delete from parking.availabilities where id = $1", [window.id]);
  });

  it("does not bind the owner of the database", async () => {
    const building = arena();
    const owner = await building.resident();
    await setLimits(building, limits);

    await building.rows(...insertWindow(await spotOf(owner), ...refused));
  });
}

/** Declares the tests of a limit of claims. */
export function itLimitsClaims(
  arena: () => Building,
  { rule, limits, allowed, refused }: TimesLimit,
): void {
  const broken = refusedBy(rule);

  it("refuses such a claim, and does not without the limit", async () => {
    const building = arena();
    const { claimer, window } = await wideOffer(building);

    await setLimits(building, limits);
    expect(await claimer.sqlError(...insertClaim(window, ...refused))).toMatchObject(broken);
    await claimer.sql(...insertClaim(window, ...allowed));

    await setLimits(building, {});
    const other = await wideOffer(building);
    await other.claimer.sql(...insertClaim(other.window, ...refused));
  });

  it("refuses to move a claim to such times", async () => {
    const building = arena();
    const { claimer, claim } = await wideHolding(building, hours(45), hours(46));
    await setLimits(building, limits);

    expect(await claimer.sqlError(...moveClaim(claim, ...refused))).toMatchObject(broken);
    await claimer.sql(...moveClaim(claim, ...allowed));

    expect(await stored(building, "claims", claim.id)).toMatchObject(times(allowed));
  });

  it.each(["completed", "cancelled"])(
    "lets a claim that was there before be written unchanged and be %s",
    async (status) => {
      const building = arena();
      const { claimer, claim } = await wideHolding(building, ...refused);
      await setLimits(building, limits);

      await claimer.sql(...moveClaim(claim, ...refused));
      await claimer.sql(...setStatus(claim, status));

      expect(await stored(building, "claims", claim.id)).toMatchObject({ status });
    },
  );

  it("does not bind the owner of the database", async () => {
    const building = arena();
    const { claimer, window } = await wideOffer(building);
    await setLimits(building, limits);

    await building.rows(...insertClaimFor(claimer.id, window, ...refused));
  });
}
