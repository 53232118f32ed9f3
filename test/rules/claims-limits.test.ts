import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import {
  type Claim,
  claimOf,
  type Holding,
  holding,
  hours,
  type Offer,
  offer,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import * as doors from "../support/doors.ts";
import { type Limits, setLimits } from "../support/limits.ts";
import type { Person } from "../support/person.ts";
import { backdate, stored, writePastRules } from "../support/rows.ts";
import { insertClaimFor, later } from "./support.ts";

const building = useBuilding();
const ended = doors.doorsOf(building);
afterEach(() => setLimits(building, {}));

const aYear = 525_600;

/** A spot with a window from hour 10 to 60. */
async function wideOffer(): Promise<Offer> {
  const [owner, claimer] = [await building.resident(), await building.resident()];
  const spot = await spotOf(owner);
  return { owner, claimer, spot, window: await windowOf(owner, spot, 10, 60) };
}
/** The same, with a claim. */
async function wideHolding(from: string, to: string): Promise<Holding> {
  const offered = await wideOffer();
  const times = { start_time: from, end_time: to };
  return { ...offered, claim: await claimOf(offered.claimer, { ...offered.window, ...times }) };
}

describe("a limit of the times of claims", () => {
  type Times = readonly [from: string, to: string];
  const start = hours(30);
  it.each<[string, Partial<Limits>, allowed: Times, refused: Times]>([
    [
      "claims_no_shorter_than_allowed",
      { shortest_claim_minutes: 60 },
      [start, later(start, 3_600_000)],
      [start, later(start, 3_599_999)],
    ],
    [
      "claims_no_longer_than_allowed",
      { longest_claim_minutes: 60 },
      [start, later(start, 3_600_000)],
      [start, later(start, 3_600_001)],
    ],
    ["claims_within_horizon", { horizon_days: 2 }, [start, hours(40)], [start, hours(55)]],
    [
      "claims_with_notice",
      { claim_notice_minutes: 1_440 },
      [hours(26), hours(40)],
      [hours(22), hours(40)],
    ],
  ])("%s binds what is written, not what is there", async (rule, limits, allowed, refused) => {
    const old = await wideHolding(...refused);
    const { claimer, claim } = await wideHolding(hours(45), hours(46));
    const { window } = await wideOffer();
    await setLimits(building, limits);
    expect(await ended(claimer, doors.claim(window, ...refused))).toBe(rule);
    expect(await ended(claimer, doors.claim(window, ...allowed))).toBe("done");
    expect(await ended(claimer, doors.move(claim, ...refused))).toBe(rule);
    expect(await ended(claimer, doors.move(claim, ...allowed))).toBe("done");
    expect(await ended(old.claimer, doors.move(old.claim, ...refused))).toBe("done");
    for (const status of ["completed", "cancelled"])
      expect(await ended(old.claimer, doors.bySql(doors.close(old.claim, status)))).toBe("done");
  });

  it.each<[string, Partial<Limits>, same: [number, number], other: [number, number]]>([
    ["claims_no_longer_than_allowed", { longest_claim_minutes: 60 }, [23, 41], [23, 40]],
    ["claims_with_notice", { claim_notice_minutes: aYear }, [22, 41], [23, 41]],
  ])("%s lets the rest of the times change", async (rule, limits, same, other) => {
    const { claimer, claim } = await wideHolding(hours(22), hours(40));
    await setLimits(building, limits);
    expect(await ended(claimer, doors.move(claim, ...same))).toBe("done");
    expect(await ended(claimer, doors.move(claim, ...other))).toBe(rule);
  });
});

describe("claims_kept_after_cutoff", () => {
  const made = ({ id }: Claim, minutesAgo: number) =>
    writePastRules(
      building,
      "update parking.claims set created_at = clock_timestamp() - make_interval(mins => $2) where id = $1",
      [id, minutesAgo],
    );
  const acts = (claim: Claim, from: number, to: number) => [
    doors.close(claim, "cancelled"),
    doors.remove(claim),
    doors.move(claim, from + 1, to + 1),
    doors.move(claim, from, to - 1),
    doors.move(claim, from, to + 1),
    doors.close(claim, "completed"),
  ];
  const signs: Readonly<Record<string, string>> = { done: "-", claims_kept_after_cutoff: "K" };

  // K is refused as too late, x by another rule, - is done: to cancel, delete, move, shorten, extend, complete.
  it.each([
    ["starts soon", aYear, null, 9, 30, "KKKK--"],
    ["starts later", 1_440, null, 9, 30, "------"],
    ["has begun", 1, null, 9, -2, "KKKK--"],
    ["was made just now", aYear, 5, 0, 30, "------"],
    ["was made within the minutes of grace", aYear, 5, 4, 30, "------"],
    ["was made before them", aYear, 5, 5, 30, "KKKK--"],
    ["was made before fewer of them", aYear, 1, 2, 30, "KKKK--"],
    ["was made just now, and has begun", aYear, 5, 0, -2, "--x---"],
    ["was made before them, and has begun", aYear, 5, 6, -2, "KKKK--"],
  ])("decides about a claim that %s", async (_what, cutoff, grace, ago, from, expected) => {
    const { claimer, window, claim } = await wideHolding(hours(30), hours(40));
    await backdate(building, "availabilities", window, -3, 60);
    await backdate(building, "claims", claim, from, 40);
    await made(claim, ago);
    await setLimits(building, { cancellation_cutoff_minutes: cutoff, grace_minutes: grace });
    let found = "";
    for (const act of acts(claim, from, 40)) {
      const end = await ended(claimer, doors.bySql(act));
      found += signs[end] ?? "x";
      if (end !== "done") expect(await ended(claimer, act)).toBe(end);
    }
    expect(found).toBe(expected);
  });

  it("gives no new grace to a claim that was moved, and lets a cancelled one be deleted", async () => {
    const [moved, gone] = [
      await wideHolding(hours(30), hours(40)),
      await wideHolding(hours(30), hours(40)),
    ];
    await setLimits(building, { cancellation_cutoff_minutes: aYear, grace_minutes: 5 });
    expect(await ended(moved.claimer, doors.move(moved.claim, 31, 41))).toBe("done");
    expect(await ended(gone.claimer, doors.close(gone.claim, "cancelled"))).toBe("done");
    for (const { claim } of [moved, gone]) await made(claim, 5);
    const late = doors.close(moved.claim, "cancelled");
    expect(await ended(moved.claimer, late)).toBe("claims_kept_after_cutoff");
    expect(await ended(gone.claimer, doors.remove(gone.claim))).toBe("done");
  });

  it.each([
    [
      "an administrator who gives a reason",
      async ({ claim }: Holding) =>
        (await building.administrator()).sql(
          "select api.cancel_claim($1, 'cancelled', 'Repairs')",
          [claim.id],
        ),
    ],
    [
      "the erasure of the claimer",
      ({ claimer }: Holding) => building.rows("select private.erase_person($1)", [claimer.id]),
    ],
  ])("does not bind %s", async (_who, cancel) => {
    const held = await wideHolding(hours(30), hours(40));
    await setLimits(building, { cancellation_cutoff_minutes: aYear });
    await cancel(held);
    expect(await stored(building, "claims", held.claim.id)).toMatchObject({ status: "cancelled" });
  });
});

describe("claims_no_more_than_allowed", () => {
  const many = "claims_no_more_than_allowed";
  let claimer: Person;
  let window: Window;
  let claim: Claim;
  /** A free window. */
  let next: Window;
  beforeEach(async () => {
    ({ claimer, window, claim } = await holding(building));
    next = (await offer(building)).window;
    await setLimits(building, { most_active_claims: 1 });
  });

  it.each(["cancelled", "deleted"])("refuses one claim more, until another is %s", async (how) => {
    await claimOf((await holding(building)).claimer, (await offer(building)).window).catch(
      () => {},
    );
    expect(await ended(claimer, doors.claim(next))).toBe(many);
    const end = how === "deleted" ? doors.remove(claim) : doors.close(claim, how);
    expect(await ended(claimer, end)).toBe("done");
    expect(await ended(claimer, doors.claim(next))).toBe("done");
  });

  it("counts a completed claim, which still holds its window, until its end", async () => {
    expect(await ended(claimer, doors.close(claim, "completed"))).toBe("done");
    expect(await ended(claimer, doors.claim(next))).toBe(many);
    await backdate(building, "availabilities", window, -9, -5);
    await backdate(building, "claims", claim, -9, -5);
    expect(await ended(claimer, doors.claim(next))).toBe("done");
  });

  it("counts a claim that has ended once it is to last again, and not while it is over", async () => {
    await backdate(building, "availabilities", window, -9, 5);
    await backdate(building, "claims", claim, -9, -8);
    expect(await ended(claimer, doors.claim(next))).toBe("done");
    expect(await ended(claimer, doors.move(claim, -9, 4))).toBe(many);
    expect(await ended(claimer, doors.move(claim, -9, -8))).toBe("done");
  });

  it("lets a resident who has more than a new limit move and complete claims", async () => {
    await building.rows(...insertClaimFor(claimer.id, next));
    expect(await ended(claimer, doors.move(claim, 2, 4))).toBe("done");
    expect(await ended(claimer, doors.close(claim, "completed"))).toBe("done");
  });
});
