import { afterEach, describe, expect, it } from "@jest/globals";
import { claimOf, holding, hours, offer, useBuilding } from "../support/building.ts";
import { setLimits } from "../support/limits.ts";
import { backdate, stored, writePastRules } from "../support/rows.ts";
import { itLimitsClaims, wideHolding } from "./limits.ts";
import {
  deleteClaim,
  insertClaim,
  insertClaimFor,
  later,
  moveClaim,
  refusedBy,
  setStatus,
} from "./support.ts";

const building = useBuilding();
afterEach(() => setLimits(building, {}));

const start = hours(30);
const aYear = 525_600;

describe("claims_no_shorter_than_allowed", () => {
  itLimitsClaims(() => building, {
    rule: "claims_no_shorter_than_allowed",
    limits: { shortest_claim_minutes: 60 },
    allowed: [start, later(start, 3_600_000)],
    refused: [start, later(start, 3_599_999)],
  });
});

describe("claims_no_longer_than_allowed", () => {
  itLimitsClaims(() => building, {
    rule: "claims_no_longer_than_allowed",
    limits: { longest_claim_minutes: 60 },
    allowed: [start, later(start, 3_600_000)],
    refused: [start, later(start, 3_600_001)],
  });

  it("looks only at the length that a statement writes", async () => {
    const { claimer, claim } = await wideHolding(building, hours(22), hours(40));
    await setLimits(building, { longest_claim_minutes: 60 });

    await claimer.sql(...moveClaim(claim, hours(23), hours(41)));
    expect(await claimer.sqlError(...moveClaim(claim, hours(23), hours(40)))).toMatchObject(
      refusedBy("claims_no_longer_than_allowed"),
    );
  });
});

describe("claims_within_horizon", () => {
  itLimitsClaims(() => building, {
    rule: "claims_within_horizon",
    limits: { horizon_days: 2 },
    allowed: [start, hours(40)],
    refused: [start, hours(55)],
  });
});

describe("claims_with_notice", () => {
  itLimitsClaims(() => building, {
    rule: "claims_with_notice",
    limits: { claim_notice_minutes: 24 * 60 },
    allowed: [hours(26), hours(40)],
    refused: [hours(22), hours(40)],
  });

  it("looks only at the start that a statement writes", async () => {
    const { claimer, claim } = await wideHolding(building, hours(22), hours(40));
    await setLimits(building, { claim_notice_minutes: aYear });

    await claimer.sql(...moveClaim(claim, hours(22), hours(41)));
    expect(await claimer.sqlError(...moveClaim(claim, hours(23), hours(41)))).toMatchObject(
      refusedBy("claims_with_notice"),
    );
  });
});

describe("claims_kept_after_cutoff", () => {
  const broken = refusedBy("claims_kept_after_cutoff");

  it("refuses to cancel, delete, move and shorten a claim that starts soon", async () => {
    const { claimer, claim } = await wideHolding(building, hours(30), hours(40));
    await setLimits(building, { cancellation_cutoff_minutes: aYear });
    const before = await stored(building, "claims", claim.id);

    for (const [text, values] of [
      setStatus(claim, "cancelled"),
      deleteClaim(claim),
      moveClaim(claim, hours(31), hours(41)),
      moveClaim(claim, hours(31), hours(40)),
      moveClaim(claim, hours(30), hours(39)),
    ] as const) {
      expect(await claimer.sqlError(text, values)).toMatchObject(broken);
    }
    expect(await stored(building, "claims", claim.id)).toEqual(before);
  });

  it("lets it be completed, and take more time", async () => {
    const { claimer, claim } = await wideHolding(building, hours(30), hours(40));
    await setLimits(building, { cancellation_cutoff_minutes: aYear });

    await claimer.sql(...moveClaim(claim, hours(30), hours(40)));
    await claimer.sql(...moveClaim(claim, hours(29), hours(41)));
    await claimer.sql(...setStatus(claim, "completed"));

    expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "completed" });
  });

  it("lets a claim that starts later be moved, cancelled and deleted", async () => {
    const { claimer, claim } = await wideHolding(building, hours(30), hours(40));
    await setLimits(building, { cancellation_cutoff_minutes: 24 * 60 });

    await claimer.sql(...moveClaim(claim, hours(31), hours(32)));
    await claimer.sql(...setStatus(claim, "cancelled"));
    await claimer.sql(...deleteClaim(claim));
  });

  it("holds while a claim runs, and for its deletion after cancelling no more", async () => {
    const { claimer, claim } = await wideHolding(building, hours(30), hours(40));
    const { claimer: other, claim: cancelled } = await wideHolding(building, hours(30), hours(40));
    await other.sql(...setStatus(cancelled, "cancelled"));
    await backdate(building, "claims", claim, -2, 40);
    await setLimits(building, { cancellation_cutoff_minutes: 1 });

    expect(await claimer.sqlError(...setStatus(claim, "cancelled"))).toMatchObject(broken);
    await setLimits(building, { cancellation_cutoff_minutes: aYear });
    await other.sql(...deleteClaim(cancelled));
  });

  it("does not bind an administrator who gives a reason, nor the owner of the database", async () => {
    const [first, second] = [
      await wideHolding(building, hours(30), hours(40)),
      await wideHolding(building, hours(30), hours(40)),
    ];
    const administrator = await building.administrator();
    await setLimits(building, { cancellation_cutoff_minutes: aYear });

    await administrator.sql("select api.cancel_claim($1, 'cancelled', 'Repairs')", [
      first.claim.id,
    ]);
    await building.rows(...setStatus(second.claim, "cancelled"));

    for (const { claim } of [first, second]) {
      expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "cancelled" });
    }
  });

  describe("within grace_minutes", () => {
    const grace = { cancellation_cutoff_minutes: aYear, grace_minutes: 5 };
    /** A claim that was made so long ago, in milliseconds. */
    const holdingMade = async (ago: number) => {
      const held = await wideHolding(building, hours(30), hours(40));
      await backdateMaking(held.claim, ago);
      await setLimits(building, grace);
      return held;
    };
    const backdateMaking = ({ id }: { readonly id: string }, ago: number) =>
      writePastRules(
        building,
        "update parking.claims set created_at = clock_timestamp() - make_interval(secs => $2) where id = $1",
        [id, ago / 1_000],
      );
    const A_MINUTE = 60_000;

    it("lets a claim that was just made be moved, shortened, cancelled and deleted", async () => {
      const [first, second] = [await holdingMade(4 * A_MINUTE), await holdingMade(0)];

      await first.claimer.sql(...moveClaim(first.claim, hours(31), hours(41)));
      await first.claimer.sql(...moveClaim(first.claim, hours(31), hours(32)));
      await first.claimer.sql(...setStatus(first.claim, "cancelled"));
      await second.claimer.sql(...deleteClaim(second.claim));

      expect(await stored(building, "claims", first.claim.id)).toMatchObject({
        status: "cancelled",
      });
      expect(await stored(building, "claims", second.claim.id)).toBeUndefined();
    });

    it("refuses it afterwards, and gives no new grace to a claim that was moved", async () => {
      const { claimer, claim } = await holdingMade(0);
      await claimer.sql(...moveClaim(claim, hours(31), hours(41)));
      await backdateMaking(claim, 5 * A_MINUTE);

      await claimer.sql(...moveClaim(claim, hours(31), hours(42)));
      for (const [text, values] of [
        setStatus(claim, "cancelled"),
        deleteClaim(claim),
        moveClaim(claim, hours(32), hours(42)),
      ] as const) {
        expect(await claimer.sqlError(text, values)).toMatchObject(broken);
      }
    });

    it("holds for a claim that has begun, which it would otherwise only let complete", async () => {
      const { claimer, claim } = await holdingMade(0);
      const { claimer: other, claim: older } = await holdingMade(6 * A_MINUTE);
      for (const begun of [claim, older]) await backdate(building, "claims", begun, -1, 40);

      await claimer.sql(...setStatus(claim, "cancelled"));
      expect(await other.sqlError(...setStatus(older, "cancelled"))).toMatchObject(broken);
      await other.sql(...setStatus(older, "completed"));
    });

    it("is for the claimer, and does not open a claim that is over", async () => {
      const { claimer, owner, claim } = await holdingMade(0);

      expect(await owner.sql(...setStatus(claim, "cancelled"))).toMatchObject({ rowCount: 0 });
      await claimer.sql(...setStatus(claim, "completed"));
      expect(await claimer.sqlError(...setStatus(claim, "cancelled"))).toMatchObject(
        refusedBy("claims_closed_stay_closed"),
      );
    });

    it.each([null, 1])("is as long as the building says: %j", async (grace_minutes) => {
      const { claimer, claim } = await holdingMade(2 * A_MINUTE);
      await setLimits(building, { ...grace, grace_minutes });
      expect(await claimer.sqlError(...setStatus(claim, "cancelled"))).toMatchObject(broken);
    });
  });

  it("lets an erased person's claims end", async () => {
    const { claimer, claim } = await wideHolding(building, hours(30), hours(40));
    await setLimits(building, { cancellation_cutoff_minutes: aYear });

    await building.rows("select private.erase_person($1)", [claimer.id]);

    expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "cancelled" });
  });
});

describe("claims_no_more_than_allowed", () => {
  const broken = refusedBy("claims_no_more_than_allowed");

  it.each(["cancelled", "deleted"])("refuses one claim more, until another is %s", async (how) => {
    const [first, second, third] = [
      await holding(building),
      await offer(building),
      await offer(building),
    ];
    const { claimer, claim } = first;
    await setLimits(building, { most_active_claims: 2 });
    await claimer.sql(...insertClaim(second.window));

    expect(await claimer.sqlError(...insertClaim(third.window))).toMatchObject(broken);
    await claimer.sql(...(how === "deleted" ? deleteClaim(claim) : setStatus(claim, how)));
    await claimer.sql(...insertClaim(third.window));
  });

  it("counts a completed claim, which still holds its window, until its end", async () => {
    const { claimer, window, claim } = await holding(building);
    const { window: other } = await offer(building);
    await setLimits(building, { most_active_claims: 1 });
    await claimer.sql(...setStatus(claim, "completed"));

    expect(await claimer.sqlError(...insertClaim(other))).toMatchObject(broken);
    await backdate(building, "availabilities", window, -9, -5);
    await backdate(building, "claims", claim, -9, -5);
    await claimer.sql(...insertClaim(other));
  });

  it("does not count the claims of others, and does not bind the owner of the database", async () => {
    await setLimits(building, { most_active_claims: 1 });
    const { claimer } = await holding(building);
    const { window } = await offer(building);
    await holding(building);

    await building.rows(...insertClaimFor(claimer.id, window));
  });

  it("does not count claims that have ended, unless they are made to last again", async () => {
    const claimer = await building.resident();
    const [ended, other] = [await offer(building), await offer(building)];
    const claim = await claimOf(claimer, ended.window);
    await backdate(building, "availabilities", ended.window, -9, 5);
    await backdate(building, "claims", claim, -9, -8);
    await setLimits(building, { most_active_claims: 1 });
    await claimOf(claimer, other.window);

    expect(await claimer.sqlError(...moveClaim(claim, hours(-9), hours(4)))).toMatchObject(broken);
    await claimer.sql(...moveClaim(claim, hours(-9), hours(-8)));
  });

  it("lets a resident who has more than a new limit move and complete claims", async () => {
    const claimer = await building.resident();
    const [first, second] = [await offer(building), await offer(building)];
    const claim = await claimOf(claimer, first.window);
    await claimOf(claimer, second.window);
    await setLimits(building, { most_active_claims: 1 });

    await claimer.sql(...moveClaim(claim, hours(2), hours(4)));
    await claimer.sql(...setStatus(claim, "completed"));
  });
});
