import { describe, expect, it } from "@jest/globals";
import { answerOf, refusal, refusalOf } from "../support/answers.ts";
import {
  claimOf,
  type Spot,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import { withdrawn } from "../support/exceptions.ts";
import { backdate, writePastRules } from "../support/rows.ts";

const building = useBuilding();
const administrator = building.shared("administrator");
const owner = building.shared("resident");

const DAY = 86_400_000;
const now = Date.now();
const day = (days: number) => new Date(now + days * DAY).toISOString().slice(0, 10);
/** From ten days ago until ten days from now. */
const around = `from=${day(-10)}&until=${day(10)}`;

const names = [
  "use-by-hour",
  "use-by-section",
  "spots-never-offered",
  "windows-never-claimed",
  "unmet-wishes",
];
const functions = names.map((name) => name.replaceAll("-", "_"));

const csvOf = async (path: string, headers = {}) => {
  const response = await fetch(`${building.service.origin}/api${path}`, {
    headers: { Authorization: `Bearer ${administrator.token}`, ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe.each(names)("GET /admin/reports/%s", (name) => {
  const path = `/admin/reports/${name}`;

  it("refuses a period that is empty or longer than half a year", async () => {
    for (const until of ["2024-01-01", "2023-12-31"]) {
      expect(answerOf(await administrator.get(`${path}?from=2024-01-01&until=${until}`))).toEqual(
        refusalOf("until", 400, "until must be after from"),
      );
    }
    expect(answerOf(await administrator.get(`${path}?from=2024-01-01&until=2024-07-04`))).toEqual(
      refusalOf("until", 400, "The period of a report must not be longer than 184 days"),
    );
    await administrator.get(`${path}?from=2024-01-01&until=2024-07-03`, 200);
    for (const [until, rule] of [
      ["2024-01-01", "reports_end_after_they_begin"],
      ["2024-07-04", "reports_of_half_a_year_at_most"],
    ]) {
      const call = `select from api.${name.replaceAll("-", "_")}('2024-01-01', $1)`;
      expect(await administrator.sqlError(call, [until])).toMatchObject({ constraint: rule });
    }
  });

  it("answers an unknown section without rows that count anything", async () => {
    const { text } = await csvOf(`${path}?${around}&section=Nowhere&format=csv`);

    const [, ...rows] = text.trimEnd().split("\r\n");
    expect(rows.every((row) => /^\d,\d+,0,0,$/.test(row))).toBe(true);
  });

  it("gives CSV with a name for the file", async () => {
    const { status, headers } = await csvOf(`${path}?${around}&format=csv`);

    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8; header=present");
    expect(headers.get("Content-Disposition")).toBe(`attachment; filename="${name}.csv"`);
  });
});

describe.each(functions)("api.%s by direct SQL", (name) => {
  const call = `select * from api.${name}(current_date - 10, current_date)`;

  it("refuses residents, people who wait, and a caller without claims", async () => {
    expect(await owner.sqlError(call)).toMatchObject({ constraint: "administrator_required" });
    const unapproved = await building.unapproved();
    expect(await unapproved.sqlError(call)).toMatchObject({
      constraint: "approved_account_required",
    });
  });
});

describe("GET /admin/reports/spots-never-offered", () => {
  const spotsOf = async (section: string, query = around) => {
    const path = `/admin/reports/spots-never-offered?section=${section}&${query}`;
    return (await administrator.get<{ spots: Spot[] }>(path, 200)).body.spots;
  };

  it("has the spots that no window makes available in any part of the period", async () => {
    const spots: Spot[] = [];
    for (let index = 0; index < 6; index++) spots.push(await spotOf(owner, "Offered"));
    const [never, within, before, after, across, until] = spots;
    if (!never || !within || !before || !after || !across || !until) throw new Error("no spots");
    await windowOf(owner, within, 1, 2);
    await backdate(building, "availabilities", await windowOf(owner, before), -400, -300);
    await windowOf(owner, after, 300, 301);
    await backdate(building, "availabilities", await windowOf(owner, across), -400, 400);
    await writePastRules(
      building,
      "update parking.availabilities set start_time = $2::date - 5, end_time = $2 where id = $1",
      [(await windowOf(owner, until)).id, `${day(-10)}T00:00:00Z`],
    );

    const found = await spotsOf("Offered");

    expect(new Set(found.map(({ id }) => id))).toEqual(
      new Set([never.id, before.id, after.id, until.id]),
    );
    expect(found.find(({ id }) => id === until.id)).toEqual({
      id: until.id,
      spot_number: until.spot_number,
      building_section: "Offered",
      is_verified: false,
      owner_id: owner.id,
      last_offered: `${day(-10)}T00:00:00.000Z`,
    });
    expect(found.find(({ id }) => id === after.id)).toMatchObject({ last_offered: null });
  });
});

describe("GET /admin/reports/windows-never-claimed", () => {
  it("has the windows that ended in the period and in the past, without a claim", async () => {
    const spot = await spotOf(owner, "Claimed");
    const claimer = await building.resident();
    const windows: Window[] = [];
    for (let index = 0; index < 5; index++) {
      windows.push(await windowOf(owner, spot, 20 * index + 1, 20 * index + 5));
    }
    const [unclaimed, held, cancelled, early, open] = windows;
    if (!unclaimed || !held || !cancelled || !early || !open) throw new Error("no windows");
    await claimOf(claimer, held);
    const { id } = await claimOf(claimer, cancelled);
    await claimer.put(`/claims/${id}`, { status: "cancelled" }, 200);
    await backdate(building, "availabilities", unclaimed, -300, -24);
    await backdate(building, "availabilities", held, -23, -20);
    await backdate(building, "availabilities", cancelled, -19, -15);
    await backdate(building, "availabilities", early, -400, -301);
    await backdate(building, "availabilities", open, -14, 5);

    const { body } = await administrator.get<{ windows: Window[] }>(
      `/admin/reports/windows-never-claimed?section=Claimed&${around}`,
      200,
    );

    expect(body.windows.map((window) => window.id)).toEqual([unclaimed.id, cancelled.id]);
    expect(body.windows[0]).toMatchObject({
      spot_id: spot.id,
      spot_number: spot.spot_number,
      building_section: "Claimed",
      owner_id: owner.id,
    });
  });

  it("refuses more than 10,000 rows, which nobody reads at once", async () => {
    const spot = await spotOf(owner, "Long");
    await writePastRules(
      building,
      `insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
       select $1, $2, m, m + interval '1 minute'
         from generate_series(timestamptz '2023-01-01Z', '2023-01-07T22:40Z', '1 minute') m`,
      [spot.id, spot.owner_id],
    );
    const path = "/admin/reports/windows-never-claimed?from=2023-01-01&until=";

    expect(answerOf(await administrator.get(`${path}2023-01-09`))).toEqual(
      refusal(
        400,
        "The report would have more than 10000 rows: choose a shorter period or one section",
      ),
    );
    expect(
      await administrator.sqlError(
        "select from api.windows_never_claimed('2023-01-01', '2023-01-09')",
      ),
    ).toMatchObject({ constraint: "reports_of_10000_rows_at_most" });
    const { body } = await administrator.get<{ windows: Window[] }>(`${path}2023-01-07`, 200);
    expect(body.windows).toHaveLength(6 * 24 * 60);
  });
});

it("a window that its owner withdrew, which stays for its cancelled claim is in no report", async () => {
  const { spot } = await withdrawn(building, "Withdrawn");
  const about = `section=Withdrawn&${around}`;
  const reports = "/admin/reports";

  const unclaimed = await administrator.get(`${reports}/windows-never-claimed?${about}`, 200);
  expect(unclaimed.body).toEqual({ windows: [] });
  const unoffered = await administrator.get(`${reports}/spots-never-offered?${about}`, 200);
  expect(unoffered.body).toMatchObject({ spots: [{ id: spot.id, last_offered: null }] });
  const path = `${reports}/use-by-section?step=week&${about}`;
  const { body } = await administrator.get<{ sections: { share: unknown }[] }>(path, 200);
  expect(new Set(body.sections.map(({ share }) => share))).toEqual(new Set([null]));
});

describe("a report as CSV", () => {
  it("quotes as RFC 4180 says, and gives a spreadsheet no formula", async () => {
    await spotOf(owner, '=HYPERLINK("https://example.com","x")');
    await spotOf(owner, '-1, "North"');

    const { text } = await csvOf(`/admin/reports/spots-never-offered?${around}&format=csv`);

    const [names = ""] = text.split("\r\n");
    expect(names).toBe("id,spot_number,building_section,is_verified,owner_id,last_offered");
    expect(text).toContain(`,"'=HYPERLINK(""https://example.com"",""x"")",false,${owner.id},\r\n`);
    expect(text).toContain(`,"'-1, ""North""",false,${owner.id},\r\n`);
  });

  it.each([
    ["x;=1+1", "x;'=1+1"],
    ["＝1+1", "'＝1+1"],
    ['x; "@SUM(1)', `"x; ""'@SUM(1)"`],
  ])("gives no formula to a spreadsheet that separates by semicolons: %s", async (text, cell) => {
    await spotOf(owner, text);
    const section = encodeURIComponent(text);
    const path = `/admin/reports/spots-never-offered?section=${section}&${around}&format=csv`;

    expect((await csvOf(path)).text).toContain(`,${cell},false,${owner.id},\r\n`);
  });

  it("is one for spreadsheets in German where German is preferred", async () => {
    await spotOf(owner, "Deutsch");
    const path = `/admin/reports/spots-never-offered?section=Deutsch&${around}&format=csv`;
    const { text, headers } = await csvOf(path, { "Accept-Language": "de-AT,en;q=0.5" });
    expect(text).toContain(`;Deutsch;false;${owner.id};\r\n`);
    expect(headers.get("Vary")).toContain("Accept-Language");
  });

  it("writes times as JSON does", async () => {
    const spot = await spotOf(owner, "+Times");
    await backdate(building, "availabilities", await windowOf(owner, spot), -300, -290);
    const path = `/admin/reports/spots-never-offered?section=%2BTimes&${around}`;

    const { body } = await administrator.get<{ spots: { last_offered: string }[] }>(path, 200);
    const { text } = await csvOf(`${path}&format=csv`);

    expect(text).toContain(`,'+Times,false,${owner.id},${body.spots[0]?.last_offered}\r\n`);
  });
});
