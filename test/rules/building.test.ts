import { beforeAll, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { noLimits } from "../support/limits.ts";
import type { Person } from "../support/person.ts";
import { suspend } from "../support/rows.ts";
import { missing, notGranted, refusedBy, type Statement } from "./support.ts";
import { itChecksTexts, oneLineTexts, otherTexts } from "./texts.ts";

const building = useBuilding();
let administrator: Person;
let resident: Person;
beforeAll(async () => {
  administrator = await building.administrator();
  resident = await building.resident();
});

const set = (assignments: string, values: readonly unknown[] = []): Statement => [
  `update parking.building set ${assignments}`,
  values,
];
const stored = async () => {
  const [row] = await building.rows("select * from parking.building");
  return row;
};

describe("the building", () => {
  it("has no limits but five minutes of grace, and is in UTC, unless it says otherwise", async () => {
    const { rows } = await resident.sql("select * from parking.buildings");
    expect(rows).toMatchObject([
      { ...noLimits, grace_minutes: 5, time_zone: "UTC", name: "The building" },
    ]);
  });

  it("is not inserted or deleted by an administrator, nor given other times or another id", async () => {
    for (const statement of [
      "insert into parking.building default values",
      "delete from parking.building",
      "update parking.building set id = uuidv7()",
      "update parking.building set updated_at = now()",
    ]) {
      expect(await administrator.sqlError(statement)).toMatchObject(notGranted);
    }
  });

  it("is changed by an administrator and by no resident", async () => {
    const before = await stored();

    expect(await resident.sqlError(...set("name = 'Mine'"))).toMatchObject(
      refusedBy("administrator_required", "42501"),
    );
    expect(await stored()).toEqual(before);

    expect(await administrator.sql(...set("name = 'Linden 5'"))).toMatchObject({ rowCount: 1 });
    expect(await stored()).toMatchObject({ name: "Linden 5", updated_at: expect.any(Date) });
    expect((await stored())?.updated_at).not.toEqual(before?.updated_at);
  });
});

describe("building_is_one", () => {
  it("refuses a second row to the owner of the database", async () => {
    const second = building.rows("insert into parking.building (name) values ('Another')");
    await expect(second).rejects.toMatchObject(refusedBy("building_is_one", "23505"));
  });
});

describe("approved_account_required", () => {
  it("hides the building from a person who is not approved", async () => {
    const suspended = await building.administrator();
    await suspend(building, suspended);
    for (const person of [suspended, await building.unapproved(), await building.newcomer()]) {
      expect((await person.sql("select from parking.buildings")).rowCount).toBe(0);
      expect(await person.sqlError(...set("name = 'Mine'"))).toMatchObject(
        refusedBy("approved_account_required", "42501"),
      );
    }
  });
});

describe("building_name_is_one_line", () => {
  const column = {
    writeAsPerson: (text: string | null) => administrator.sql(...set("name = $1", [text])),
    writeAsOwner: (text: string | null) => building.rows(...set("name = $1", [text])),
    read: () => building.rows("select name as text from parking.building"),
  };
  itChecksTexts("building_name_is_one_line", column, oneLineTexts(100), otherTexts(100));

  it("still requires it", async () => {
    await expect(column.writeAsPerson(null)).rejects.toMatchObject(missing("name"));
  });
});

describe("building_mark_is_short", () => {
  const column = {
    writeAsPerson: (text: string | null) => administrator.sql(...set("mark = $1", [text])),
    writeAsOwner: (text: string | null) => building.rows(...set("mark = $1", [text])),
    read: () => building.rows("select mark as text from parking.building"),
  };
  const short = oneLineTexts(2).filter((text) => [...text].length <= 2);
  itChecksTexts("building_mark_is_short", column, short, otherTexts(2));

  it("holds for no building without one", async () => {
    await column.writeAsPerson(null);
    expect(await column.read()).toEqual([{ text: null }]);
  });
});

describe("building_colour_is_hexadecimal", () => {
  it.each(["#000000", "#FFFFFF", "#1d6f42", null])("accepts %s", async (colour) => {
    await administrator.sql(...set("colour = $1", [colour]));
    expect(await stored()).toMatchObject({ colour });
  });

  it.each(["", "#fff", "1d6f42", "#1d6f42ff", "#1d6f4g", "red", " #1d6f42", "#1d6f42\n"])(
    "refuses %j",
    async (colour) => {
      const broken = refusedBy("building_colour_is_hexadecimal", "23514");
      const statement = set("colour = $1", [colour]);
      expect(await administrator.sqlError(...statement)).toMatchObject(broken);
      await expect(building.rows(...statement)).rejects.toMatchObject(broken);
    },
  );
});

describe("building_time_zone_is_known", () => {
  it.each(["UTC", "Europe/Berlin", "Asia/Kolkata", "America/Argentina/Buenos_Aires", "Etc/GMT+5"])(
    "accepts %s",
    async (zone) => {
      await administrator.sql(...set("time_zone = $1", [zone]));
      expect(await stored()).toMatchObject({ time_zone: zone });
    },
  );

  // PostgreSQL takes most of them after "at time zone".
  it.each([
    ["an abbreviation", "CEST"],
    ["an abbreviation that is a name too", "CET"],
    ["an abbreviation that is a name too", "EET"],
    ["an abbreviation that is a name too", "MET"],
    ["an abbreviation that is a name too", "WET"],
    ["a POSIX rule that is a name too", "EST5EDT"],
    ["an offset", "+02:00"],
    ["a POSIX rule", "CET-1CEST,M3.5.0,M10.5.0/3"],
    ["a misspelt name", "Europe/Berlino"],
    ["a misspelt name that is a POSIX rule", "Berlin5"],
    ["other letters", "europe/berlin"],
    ["a path", "../Europe/Berlin"],
    ["nothing", ""],
    ["a file that is no zone", "Factory"],
    ["null", null],
  ])("refuses %s", async (_what, zone) => {
    const before = await stored();
    const broken = refusedBy("building_time_zone_is_known");
    expect(await administrator.sqlError(...set("time_zone = $1", [zone]))).toMatchObject(broken);
    await expect(building.rows(...set("time_zone = $1", [zone]))).rejects.toMatchObject(broken);
    expect(await stored()).toEqual(before);
  });
});

describe("building_minutes_are_in_range", () => {
  it.each(["grace_minutes", "offer_minutes"])("holds for %s", async (setting) => {
    for (const value of [1, 525_600, null])
      await administrator.sql(...set(`${setting} = $1`, [value]));
    for (const value of [0, -1, 525_601]) {
      const statement = set(`${setting} = $1`, [value]);
      const broken = refusedBy("building_minutes_are_in_range");
      expect(await administrator.sqlError(...statement)).toMatchObject(broken);
      await expect(building.rows(...statement)).rejects.toMatchObject(broken);
    }
  });
});

describe("building_pattern_days_within_a_year", () => {
  it.each([0, -1, 367])("refuses %s days", async (days) => {
    expect(await administrator.sqlError(...set("pattern_days = $1", [days]))).toMatchObject(
      refusedBy("building_pattern_days_within_a_year"),
    );
  });

  it("refuses none, and lets there be 1 to 366", async () => {
    expect(await administrator.sqlError(...set("pattern_days = null"))).toMatchObject(
      missing("pattern_days"),
    );
    for (const days of [1, 366, 28]) await administrator.sql(...set("pattern_days = $1", [days]));
  });
});

describe("building_keeps_for_days", () => {
  it.each(["event_days = 29", "notification_days = 29", "job_days = 6", "event_days = 36501"])(
    "refuses %s",
    async (change) => {
      expect(await administrator.sqlError(...set(change))).toMatchObject(
        refusedBy("building_keeps_for_days"),
      );
    },
  );

  it("lets there be 30, 30 and 7, and not none", async () => {
    await administrator.sql(...set("event_days = 30, notification_days = 30, job_days = 7"));
    expect(await administrator.sqlError(...set("event_days = null"))).toMatchObject(
      missing("event_days"),
    );
    await administrator.sql(...set("event_days = 400, notification_days = 400, job_days = 30"));
  });
});

describe("building_mail_is_of_known_kinds", () => {
  it.each([[["x"]], [["wish.fits", "wish.fits"]], [[null]]])("refuses %j", async (kinds) => {
    expect(await administrator.sqlError(...set("mail = $1", [kinds]))).toMatchObject(
      refusedBy("building_mail_is_of_known_kinds"),
    );
  });

  it("takes none and several, and refuses null", async () => {
    expect(await administrator.sqlError(...set("mail = null"))).toMatchObject(missing("mail"));
    for (const kinds of [[], ["wish.fits", "claim.ends"]])
      await administrator.sql(...set("mail = $1", [kinds]));
  });
});

describe("building_language_is_known", () => {
  it.each(["fr", "", "EN"])("refuses %j", async (language) => {
    expect(await administrator.sqlError(...set("language = $1", [language]))).toMatchObject(
      refusedBy("building_language_is_known"),
    );
  });

  it.each(["de", "en"])("takes %j", async (language) => {
    await administrator.sql(...set("language = $1", [language]));
  });
});

describe("building_reminds_in_time", () => {
  it.each([4, 0, -1, 10_081])("refuses %s minutes", async (minutes) => {
    expect(await administrator.sqlError(...set("remind_minutes = $1", [minutes]))).toMatchObject(
      refusedBy("building_reminds_in_time"),
    );
  });

  it.each([5, 10_080, 60])("takes %s minutes", async (minutes) => {
    await administrator.sql(...set("remind_minutes = $1", [minutes]));
  });
});
