import { expect, it } from "@jest/globals";
import { answerOf, refusal, refusalOf } from "../support/answers.ts";
import { spotOf, useBuilding } from "../support/building.ts";
import { setLimits } from "../support/limits.ts";
import { dayAfter, patternOf, setPatternDays, threeDays } from "../support/patterns.ts";
import { claimsOf, setClaims, tryAt } from "../support/sql.ts";

const building = useBuilding();
const claimer = building.shared("resident");

const body = (more: object = {}) => ({
  weekdays: ["MO", "TU", "WE", "TH", "FR", "SA", "SU"],
  starts_at: "09:00",
  ends_at: "12:00",
  first_day: dayAfter(3),
  last_day: dayAfter(5),
  ...more,
});
const names = ["weekdays", "starts_at", "ends_at", "first_day", "last_day"] as const;
const bySql = (name: string, more: object) =>
  claimer.sqlError(
    `select * from api.${name}($1, $2, $3, $4, $5)`,
    names.map((field) => (body(more) as Record<string, unknown>)[field]),
  );

const outOfForm = [
  ["claim_series_weekdays_are_known", { weekdays: ["MO", "XX"] }],
  ["claim_series_weekdays_are_known", { weekdays: null }],
  ["claim_series_times_are_of_a_day", { ends_at: "24:00" }],
  ["claim_series_times_are_of_a_day", { starts_at: null }],
  ["claim_series_days_are_calendar_dates", { last_day: "infinity" }],
  ["claim_series_days_are_calendar_dates", { first_day: null }],
] as const;
it.each(outOfForm)("%s refuses %j by SQL", async (rule, more) => {
  for (const name of ["create_claim_series", "preview_claim_series"])
    expect(await bySql(name, more)).toMatchObject({ constraint: rule });
});

const refused = [
  [
    "claim_series_first_day_before_last",
    { last_day: dayAfter(2) },
    refusalOf("last_day", 400, "last_day must not be before first_day"),
  ],
  [
    "claim_series_of_half_a_year_at_most",
    { last_day: dayAfter(187) },
    refusalOf("last_day", 400, "A series must not be longer than 184 days"),
  ],
  [
    "claim_series_of_60_days_at_most",
    { last_day: dayAfter(63) },
    refusalOf("last_day", 400, "A series must not have more than 60 days"),
  ],
  [
    "claim_series_days_are_calendar_dates",
    { first_day: "9999-12-31", last_day: "9999-12-31" },
    refusal(400, "first_day and last_day must lie in the years 1 to 9998"),
  ],
] as const;
it.each(refused)("%s refuses %j by REST and by SQL", async (rule, more, answer) => {
  for (const path of ["/claims/series", "/claims/series/preview"]) {
    const response = await claimer.post(path, body(more));
    expect(answerOf(response)).toEqual(answer);
    expect(response.headers.get("x-error-code")).toBe(rule);
  }
  for (const name of ["create_claim_series", "preview_claim_series"])
    expect(await bySql(name, more)).toMatchObject({ constraint: rule });
});

it.each([
  ["claim_series_claim_something", {}, "None of these days can be claimed"],
  ["claim_series_all_or_none", { all_or_none: true }, "Not all of these days can be claimed"],
] as const)("%s refuses %j, and its preview does not", async (rule, more, message) => {
  const response = await claimer.post("/claims/series", body(more));
  expect(answerOf(response)).toEqual(refusal(409, message));
  expect(response.headers.get("x-error-code")).toBe(rule);
  expect(await bySql("create_claim_series", more)).toMatchObject({
    constraint: "claim_series_claim_something",
  });
  await claimer.post("/claims/series/preview", body(), 200);
});

it("looks the messages up once, however many days a rule refuses", async () => {
  await setPatternDays(building, 28);
  const owner = await building.resident();
  await patternOf(owner, threeDays(await spotOf(owner)));
  await setLimits(building, { longest_claim_minutes: 60 });
  const { weekdays, starts_at, ends_at, first_day, last_day } = body();
  const calls = await tryAt(building.database.url("postgres"), async (client) => {
    await client.query("set local track_functions = 'all'");
    await client.query("set local role parking_api");
    await setClaims(client, claimsOf(claimer));
    const { rows } = await client.query<{ days: { reason: string }[] }>(
      "select days from api.preview_claim_series($1, $2, $3, $4, $5)",
      [weekdays, starts_at, ends_at, first_day, last_day],
    );
    const reason = "The claim is longer than the building allows";
    expect(rows[0]?.days.map((day) => day.reason)).toEqual([reason, reason, reason]);
    const counted =
      "select calls from pg_stat_xact_user_functions where funcname = 'rule_messages'";
    return (await client.query<{ calls: string }>(counted)).rows;
  });
  expect(calls).toEqual([{ calls: "1" }]);
});
