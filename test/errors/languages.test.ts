import { expect, it } from "@jest/globals";
import { Pool } from "pg";
import { routes } from "../../src/contract/routes.ts";
import { readRuleCatalogue } from "../../src/errors/catalogue.ts";
import { refusalsOf } from "../../src/openapi/refusals.ts";
import { hours, spotOf, useBuilding, windowOf } from "../support/building.ts";
import { setLimits } from "../support/limits.ts";
import { dayAfter, everyDay, type PatternDay, setZone } from "../support/patterns.ts";
import { type Failure, type Person, requestJson } from "../support/person.ts";
import { tell, wishOf } from "../support/wishes.ts";

const building = useBuilding();

const ask = <Body = Failure>(person: Person, path: string, body: object, language?: string) =>
  requestJson<Body>(building.service.origin, "POST", `/api${path}`, {
    token: person.token,
    body,
    ...(language !== undefined && { headers: { "Accept-Language": language } }),
  });

it.each([
  [undefined, null, "end_time must be after start_time"],
  ["en-US,de;q=0.5", null, "end_time must be after start_time"],
  ["fr", null, "end_time must be after start_time"],
  ["de-AT,en;q=0.5", "de", "Das Ende muss nach dem Anfang liegen."],
])(
  "with Accept-Language %s, a rule says so in its language",
  async (language, content, message) => {
    const owner = await building.resident();
    const { id: spot_id } = await spotOf(owner);
    const body = { spot_id, start_time: hours(2), end_time: hours(1) };
    const answer = await ask(owner, "/availabilities", body, language);

    expect(answer).toMatchObject({
      status: 400,
      body: { error: message, details: { end_time: { _errors: [message] } } },
    });
    const { headers } = answer;
    expect(headers.get("X-Error-Code")).toBe("availabilities_start_before_end");
    expect(headers.get("Content-Language")).toBe(content);
    expect(headers.get("Vary")).toMatch(/Accept-Language/);
  },
);

it("GraphQL says it in the language, too", async () => {
  const owner = await building.resident();
  const { id } = await windowOf(owner, await spotOf(owner), 1, 5);
  const query = `mutation { createClaim(input: {
    availabilityId: "${id}", startTime: "${hours(1)}", endTime: "${hours(2)}"
  }) { claim { id } } }`;
  const { body, headers } = await ask<{ errors: { message: string }[] }>(
    owner,
    "/graphql",
    { query },
    "de",
  );
  expect(body.errors[0]?.message).toMatch(/^Das ist Ihr eigener Stellplatz/);
  expect(headers.get("Content-Language")).toBe("de");
});

it("a rule of the house without a text in German says it in its own words", async () => {
  await building.rows("alter table parking.spots add constraint none check (spot_number <> 'X')");
  await building.rows("comment on constraint none on parking.spots is 'No X here'");
  const resident = await building.resident();
  const { body, headers } = await ask(
    resident,
    "/parking-spots",
    { spot_number: "X", building_section: "North" },
    "de",
  );
  expect([body, headers.get("Content-Language")]).toEqual([{ error: "No X here" }, null]);
});

it("a moment is written in the language, and on the clock of the building", async () => {
  await setZone(building, "Asia/Kathmandu");
  await setLimits(building, { offer_minutes: 30 });
  const [owner, waiting, other] = await Promise.all([1, 2, 3].map(() => building.resident()));
  if (!owner || !waiting || !other) throw new Error("three residents are needed");
  await wishOf(waiting, 21, 22);
  const { id, start_time, end_time } = await windowOf(owner, await spotOf(owner), 20, 28);
  await tell(building);

  const claim = { availability_id: id, start_time, end_time };
  const inEnglish = (await ask(other, "/claims", claim)).body.error;
  const until = /Until (\S+Z) this/.exec(inEnglish)?.[1];
  const clock = new Date(Date.parse(until ?? "") + 345 * 60_000).toISOString().slice(11, 16);
  expect((await ask(other, "/claims", claim, "de")).body.error).toMatch(
    new RegExp(`^Bis \\w\\w\\., \\d+\\. \\w+\\.?,? (\\d{4}, )?${clock}.* vorbehalten`),
  );
});

it("a preview of a pattern gives its reasons in the language", async () => {
  await setZone(building, "UTC");
  await setLimits(building, { longest_window_days: 1, horizon_days: 2 });
  const owner = await building.resident();
  const { id: spot_id } = await spotOf(owner);
  const pattern = {
    spot_id,
    weekdays: everyDay,
    starts_at: "08:00",
    ends_at: "18:00",
    first_day: dayAfter(5),
  };
  const reasonsIn = async (language: string) => {
    const { body } = await ask<{ days: PatternDay[] }>(
      owner,
      "/patterns/preview",
      pattern,
      language,
    );
    return [...new Set(body.days.map(({ reason }) => reason))];
  };
  expect(await reasonsIn("de")).toEqual(["So weit im Voraus darf nicht geteilt werden."]);
  expect(await reasonsIn("en")).toEqual(["The window ends further ahead than the building allows"]);
});

it("each rule that a request can break says it in German, too", async () => {
  const pool = new Pool({ connectionString: building.database.url("parking_api") });
  const rules = await (await readRuleCatalogue(pool)).all().finally(() => pool.end());
  const met = new Set(routes.flatMap((route) => refusalsOf(route, rules)).map(({ code }) => code));
  const untranslated = rules.list.filter(
    ({ name, message, translations }) => met.has(name) && message !== null && !translations.de,
  );
  expect(untranslated.map(({ name }) => name)).toEqual(["none"]); // of the house
});
