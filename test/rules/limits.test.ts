import { afterEach, describe, expect, it } from "@jest/globals";
import { claimOf, hours, type Offer, spotOf, useBuilding, windowOf } from "../support/building.ts";
import * as doors from "../support/doors.ts";
import { type SectionLimits, setLimits, setSectionLimits } from "../support/limits.ts";
import type { Person } from "../support/person.ts";
import { refusedBy, type Statement } from "./support.ts";

const building = useBuilding();
const administrator = building.shared("administrator");
const resident = building.shared("resident");
afterEach(async () => {
  await setLimits(building, {});
  await building.rows("delete from parking.limits where building_section is not null");
});

/** A spot of a section with a free window from hour 10 to 60. */
async function offerIn(section: string, claimer = resident): Promise<Offer> {
  const owner = await building.resident();
  const spot = await spotOf(owner, section);
  return { owner, claimer, spot, window: await windowOf(owner, spot, 10, 60) };
}
const move = (spot: { readonly id: string }, section: string): Statement => [
  "update parking.spots set building_section = $2 where id = $1",
  [spot.id, section],
];

describe("a limit of a section", () => {
  const start = hours(30);
  it.each<
    [
      rule: string,
      limit: keyof SectionLimits,
      section: number,
      end: number,
      statement: "claim" | "window",
    ]
  >([
    ["claims_no_shorter_than_allowed", "shortest_claim_minutes", 61, 31, "claim"],
    ["claims_no_longer_than_allowed", "longest_claim_minutes", 59, 31, "claim"],
    ["claims_with_notice", "claim_notice_minutes", 525_600, 31, "claim"],
    ["claims_within_horizon", "horizon_days", 1, 50, "claim"],
    ["availabilities_within_horizon", "horizon_days", 1, 50, "window"],
    ["availabilities_no_longer_than_allowed", "longest_window_days", 1, 56, "window"],
  ])("holds for its spots alone: %s", async (rule, limit, value, end, what) => {
    const write = ({ owner, claimer, spot, window }: Offer) =>
      what === "claim"
        ? { by: claimer, statement: doors.claim(window, start, hours(end)).sql }
        : { by: owner, statement: doors.publish(spot, hours(80), hours(80 + end - 30)).sql };
    const [strict, other] = [await offerIn("Strict"), await offerIn("Other")];
    await setSectionLimits(building, "Strict", { [limit]: value });

    const { by, statement } = write(strict);
    expect(await by.sqlError(...statement)).toMatchObject(refusedBy(rule));
    const allowed = write(other);
    await allowed.by.sql(...allowed.statement);
  });

  it("comes before the building's, also where it allows more; null is the building's", async () => {
    const [wide, plain] = [await offerIn("Wide"), await offerIn("Plain")];
    await setLimits(building, { longest_claim_minutes: 30 });
    await setSectionLimits(building, "Wide", { longest_claim_minutes: 120, horizon_days: 365 });
    await setSectionLimits(building, "Plain", {});
    const hour = [hours(30), hours(31)] as const;

    await wide.claimer.sql(...doors.claim(wide.window, ...hour).sql);
    expect(await plain.claimer.sqlError(...doors.claim(plain.window, ...hour).sql)).toMatchObject(
      refusedBy("claims_no_longer_than_allowed"),
    );
  });

  it("is that of the section where the spot is now: what was there stays", async () => {
    const { owner, claimer, spot, window } = await offerIn("Strict");
    await setSectionLimits(building, "Strict", {
      longest_claim_minutes: 30,
      cancellation_cutoff_minutes: 525_600,
    });
    await owner.sql(...move(spot, "Open"));
    const claim = await claimOf(claimer, window);
    await owner.sql(...move(spot, "Strict"));

    await claimer.sql(...doors.move(claim, window.start_time, window.end_time).sql);
    expect(await claimer.sqlError(...doors.remove(claim).sql)).toMatchObject(
      refusedBy("claims_kept_after_cutoff"),
    );
    await owner.sql(...move(spot, "Open"));
    await claimer.sql(...doors.remove(claim).sql);
  });
});

describe("claims_no_more_than_allowed", () => {
  const broken = refusedBy("claims_no_more_than_allowed");
  /** A resident with a claim in each of these sections. */
  async function claimerIn(...sections: readonly string[]): Promise<Person> {
    const claimer = await building.resident();
    for (const section of sections) await claimOf(claimer, (await offerIn(section)).window);
    return claimer;
  }
  const another = async (section: string) => doors.claim((await offerIn(section)).window).sql;

  it("counts the claims in a section that has its own number by themselves", async () => {
    const claimer = await claimerIn("North", "South", "Guests");
    await setLimits(building, { most_active_claims: 3 });
    await setSectionLimits(building, "Guests", { most_active_claims: 1 });

    expect(await claimer.sqlError(...(await another("Guests")))).toMatchObject(broken);
    await claimer.sql(...(await another("North")));
    expect(await claimer.sqlError(...(await another("South")))).toMatchObject(broken);
  });

  it("counts with the building's where a section has other limits only", async () => {
    const claimer = await claimerIn("North");
    await setLimits(building, { most_active_claims: 1 });
    await setSectionLimits(building, "Guests", { longest_claim_minutes: 9_999 });

    expect(await claimer.sqlError(...(await another("Guests")))).toMatchObject(broken);
  });

  it("holds in a section where the building has no number", async () => {
    const claimer = await claimerIn("North", "North", "Guests");
    await setSectionLimits(building, "Guests", { most_active_claims: 1 });

    expect(await claimer.sqlError(...(await another("Guests")))).toMatchObject(broken);
    await claimer.sql(...(await another("North")));
  });

  it("lets a section have more than the building", async () => {
    const claimer = await claimerIn("Long");
    await setLimits(building, { most_active_claims: 1 });
    await setSectionLimits(building, "Long", { most_active_claims: 2 });

    await claimer.sql(...(await another("Long")));
    expect(await claimer.sqlError(...(await another("Long")))).toMatchObject(broken);
    await claimer.sql(...(await another("North")));
    expect(await claimer.sqlError(...(await another("North")))).toMatchObject(broken);
  });

  it("lets one succeed of two claims in a section at one moment", async () => {
    const claimer = await building.resident();
    await setSectionLimits(building, "Guests", { most_active_claims: 1 });
    const rivals = [await another("Guests"), await another("Guests"), await another("Guests")];

    const results = await Promise.allSettled(rivals.map((it) => claimer.sql(...it)));

    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("parking.limits", () => {
  const insert: Statement = ["insert into parking.limits (building_section) values ('Mine')", []];

  it("administrator_required: is written by administrators", async () => {
    const change = "update parking.limits set horizon_days = 7";
    for (const statement of [insert[0], change])
      expect(await resident.sqlError(statement)).toMatchObject({ code: "42501" });
    expect((await administrator.sql(...insert)).rowCount).toBe(1);
    expect((await administrator.sql(change)).rowCount).toBe(2);
  });

  it("has one row of the building, and one of a section", async () => {
    await administrator.sql(...insert);
    for (const second of [...insert.slice(0, 1), "insert into parking.limits default values"]) {
      await expect(building.rows(String(second))).rejects.toMatchObject({ code: "23505" });
    }
  });
});
