import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { claimOf, hours, type Offer, spotOf, useBuilding, windowOf } from "../support/building.ts";
import {
  noLimitsOfSection,
  type SectionLimits,
  setLimits,
  setSectionLimits,
} from "../support/limits.ts";
import type { Person } from "../support/person.ts";
import { suspend } from "../support/rows.ts";
import {
  deleteClaim,
  insertClaim,
  insertWindow,
  moveClaim,
  notGranted,
  refusedBy,
  type Statement,
} from "./support.ts";
import { itChecksTexts, oneLineTexts, otherTexts } from "./texts.ts";

const building = useBuilding();
let administrator: Person;
let resident: Person;
beforeAll(async () => {
  administrator = await building.administrator();
  resident = await building.resident();
});
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
        ? { by: claimer, statement: insertClaim(window, start, hours(end)) }
        : { by: owner, statement: insertWindow(spot, hours(80), hours(80 + end - 30)) };
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

    await wide.claimer.sql(...insertClaim(wide.window, ...hour));
    expect(await plain.claimer.sqlError(...insertClaim(plain.window, ...hour))).toMatchObject(
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

    await claimer.sql(...moveClaim(claim, window.start_time, window.end_time));
    expect(await claimer.sqlError(...deleteClaim(claim))).toMatchObject(
      refusedBy("claims_kept_after_cutoff"),
    );
    await owner.sql(...move(spot, "Open"));
    await claimer.sql(...deleteClaim(claim));
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
  const another = async (section: string) => insertClaim((await offerIn(section)).window);

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

  it("is read by residents, and written by administrators alone", async () => {
    await administrator.sql(...insert);
    const change = "update parking.limits set horizon_days = 7 where building_section = 'Mine'";

    expect(await resident.sqlError(change)).toMatchObject(
      refusedBy("administrator_required", "42501"),
    );
    expect(
      await resident.sqlError("insert into parking.limits (building_section) values ('Other')"),
    ).toMatchObject({ code: "42501" });
    expect(await administrator.sql(change)).toMatchObject({ rowCount: 1 });
    const { rows } = await resident.sql("select * from parking.limits order by building_section");
    expect(rows).toMatchObject([
      { ...noLimitsOfSection, building_section: "Mine", horizon_days: 7 },
      { ...noLimitsOfSection, building_section: null },
    ]);
    for (const statement of [
      "delete from parking.limits",
      "update parking.limits set building_section = 'Other'",
      "update parking.limits set updated_at = now()",
    ]) {
      expect(await administrator.sqlError(statement)).toMatchObject(notGranted);
    }
  });

  it("has one row of the building, and one of a section", async () => {
    await administrator.sql(...insert);
    for (const second of [...insert.slice(0, 1), "insert into parking.limits default values"]) {
      await expect(building.rows(String(second))).rejects.toMatchObject({ code: "23505" });
    }
  });
});

describe("approved_account_required", () => {
  it("hides limits and sections from people who are not approved", async () => {
    await setSectionLimits(building, "North", { horizon_days: 7 });
    const suspended = await building.administrator();
    await suspend(building, suspended);

    for (const person of [suspended, await building.unapproved(), await building.newcomer()]) {
      expect((await person.sql("select from parking.limits")).rowCount).toBe(0);
      expect((await person.sql("select from parking.sections")).rowCount).toBe(0);
      expect(await person.sqlError("update parking.limits set horizon_days = 1")).toMatchObject(
        refusedBy("approved_account_required", "42501"),
      );
    }
  });
});

/** Of the building, where there is no section. */
const write = (section: string | null, limits: Partial<SectionLimits>) =>
  section === null ? setLimits(building, limits) : setSectionLimits(building, section, limits);

describe("limits_are_in_range", () => {
  const most = ["North", null].flatMap((section) =>
    Object.keys(noLimitsOfSection).map((limit) => ({
      section,
      limit,
      largest: limit.endsWith("_days") ? 36_500 : limit.endsWith("_minutes") ? 525_600 : 1_000,
    })),
  );
  it.each(most)("of section $section refuses $limit out of range", async (it) => {
    const { section, limit, largest } = it;
    for (const value of [1, largest]) await write(section, { [limit]: value });
    const broken = refusedBy("limits_are_in_range");
    for (const value of [0, -1, largest + 1]) {
      await expect(write(section, { [limit]: value })).rejects.toMatchObject(broken);
      const change = `update parking.limits set ${limit} = $1`;
      expect(await administrator.sqlError(change, [value])).toMatchObject(broken);
    }
  });
});

describe("limits_shortest_claim_within_longest", () => {
  it.each(["North", null])("refuses limits of section %s that fit no claim", async (section) => {
    const limits = { shortest_claim_minutes: 61, longest_claim_minutes: 60 };
    await expect(write(section, limits)).rejects.toMatchObject(
      refusedBy("limits_shortest_claim_within_longest"),
    );
    for (const longest_claim_minutes of [61, null])
      await write(section, { ...limits, longest_claim_minutes });
  });
});

describe("limits_building_section_is_one_line", () => {
  const write = "insert into parking.limits (building_section) values ($1)";
  const clear = () =>
    building.rows("delete from parking.limits where building_section is not null");
  const column = {
    writeAsPerson: async (text: string | null) => {
      await clear();
      return administrator.sql(write, [text]);
    },
    writeAsOwner: (text: string | null) => building.rows(write, [text]),
    read: () =>
      building.rows(
        "select building_section as text from parking.limits where building_section is not null",
      ),
  };
  itChecksTexts("limits_building_section_is_one_line", column, oneLineTexts(100), otherTexts(100));
});
