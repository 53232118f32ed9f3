import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { commit, version } from "../src/version.ts";
import { type Building, claimOf, openBuilding, spotOf, windowOf } from "./support/building.ts";
import { dashboardThatRuns } from "./support/dashboard.ts";
import { type Person, requestJson } from "./support/person.ts";
import { noRateLimits, type Program, startProgram } from "./support/program.ts";
import { until } from "./support/waiting.ts";

/** What people write in requests; no log may have it. */
const WRITTEN = {
  apartment_number: "Apartment of Ann",
  full_name: "Ann Of Apartment",
  phone_number: "+49 30 555-0100",
  spot_number: "Spot of Ann",
  building_section: "Section of Ann",
};

let building: Building;
let program: Program;
let ann: Person;
let bob: Person;
beforeAll(async () => {
  building = await openBuilding();
  [ann, bob] = [await building.resident(), await building.resident()];
  program = await startProgram(building, { ...noRateLimits, LOG_LEVEL: "trace" });
});
afterAll(async () => {
  await program.stop();
  await building.close();
});

/** Waits for the last line about a request, and returns all of them. */
const linesOf = async (headers: Headers) => {
  const id = headers.get("X-Request-Id") ?? "no id";
  const lines = () =>
    program.log
      .filter((line) => line.includes(id))
      .map((line): Readonly<Record<string, unknown>> => JSON.parse(line));
  await until(`a line about ${id}`, async () =>
    lines().some(({ message }) => message === "request"),
  );
  return lines();
};

/** Makes the dashboard fail with personal data in the error, as a mistake in its function could. */
const breakDashboard = () =>
  building.rows(
    dashboardThatRuns(`
      raise exception using
        errcode = 'XX000',
        message = 'the dashboard is broken',
        detail = 'Failing row contains (${ann.email}, ${WRITTEN.apartment_number}).';`),
  );

describe("the log", () => {
  it("has one line of JSON for each request, with its outcome", async () => {
    const { headers } = await program.ask(ann, "GET", "/claims");
    expect(await linesOf(headers)).toMatchObject([
      {
        level: "info",
        time: expect.any(String),
        requestId: headers.get("X-Request-Id"),
        method: "GET",
        path: "/api/claims",
        status: 200,
        milliseconds: expect.any(Number),
        caller: ann.id,
        message: "request",
      },
    ]);
  });

  it("has the reason why a request failed, which the answer has not", async () => {
    await breakDashboard();
    const { status, headers } = await program.ask(ann, "GET", "/dashboard");
    expect(status).toBe(500);
    expect(await linesOf(headers)).toContainEqual(
      expect.objectContaining({
        level: "error",
        status: 500,
        err: expect.objectContaining({ code: "XX000", message: "the dashboard is broken" }),
      }),
    );
  });
});

describe("the log at level trace", () => {
  it("holds no token, no e-mail address, and nothing that people wrote", async () => {
    const newcomer = await building.newcomer();
    const { apartment_number, full_name, phone_number, spot_number, building_section } = WRITTEN;
    const spot = { spot_number, building_section };
    const asked = async (person: Person, method: string, path: string, body?: unknown) =>
      (await program.ask(person, method, path, body)).status;

    await breakDashboard();
    const statuses = [
      await asked(newcomer, "POST", "/profile", { apartment_number, full_name, phone_number }),
      await asked(newcomer, "POST", "/profile", { apartment_number, full_name, phone_number }),
      await asked(newcomer, "POST", "/parking-spots", spot),
      await asked(ann, "PUT", "/profile", { apartment_number, full_name, phone_number }),
      await asked(ann, "POST", "/parking-spots", spot),
      await asked(bob, "POST", "/parking-spots", spot),
      await asked(bob, "POST", "/parking-spots", { ...spot, [full_name]: full_name }),
      await asked(bob, "POST", "/parking-spots", `{"spot_number":"${full_name}`),
      await asked(bob, "GET", `/parking-spots?building_section=${building_section}`),
      await asked(bob, "GET", `/parking-spots?owner_id=${building_section}`),
      await asked(bob, "GET", `/profile?${building_section}=${full_name}`),
      await asked(bob, "GET", "/dashboard"),
    ];
    expect(statuses).toEqual([201, 409, 403, 200, 201, 409, 400, 400, 200, 400, 400, 500]);

    const window = await windowOf(bob, await spotOf(bob));
    const { id, start_time, end_time } = window;
    const claim = { availability_id: id, start_time, end_time };
    expect(await asked(bob, "POST", "/claims", claim)).toBe(403);
    await claimOf(ann, window);
    const spoilt = await requestJson(program.origin, "GET", "/api/claims", {
      token: `${ann.token}x`,
    });
    const { headers } = await program.ask(ann, "GET", "/claims");
    await linesOf(spoilt.headers);
    await linesOf(headers);

    const log = program.log.join("\n");
    const forbidden = [
      ...Object.values(WRITTEN),
      ...Object.values(WRITTEN).map((text) => encodeURIComponent(text)),
      ...Object.values(WRITTEN).map((text) => text.toLowerCase()),
      ...[ann, bob, newcomer].flatMap(({ token, email }) => [token, email]),
      ...[ann, bob, newcomer].map(({ token }) => token.split(".")[2]),
      "Bearer",
    ];
    expect(forbidden.filter((text) => text !== undefined && log.includes(text))).toEqual([]);
  });

  it("holds no secret of a calendar feed, neither a good one nor another", async () => {
    const { body } = await requestJson<{ feed: { url: string } }>(
      program.origin,
      "POST",
      "/api/calendar-feed",
      { token: bob.token, body: {} },
    );
    const { pathname, searchParams } = new URL(body.feed.url);
    const good = searchParams.get("sig") ?? "";
    const keys = [good, good.toLowerCase(), good.slice(1)];
    const statuses: number[] = [];
    for (const key of keys) {
      const { status, headers } = await requestJson(
        program.origin,
        "GET",
        `${pathname}?sig=${key}`,
      );
      statuses.push(status);
      expect(await linesOf(headers)).toContainEqual(expect.objectContaining({ path: pathname }));
    }
    expect(statuses).toEqual([200, 404, 404]);
    const log = program.log.join("\n");
    expect(keys.filter((key) => log.includes(key))).toEqual([]);
  });
});

it("the log of a start begins with what runs, and names what may be misspelt", async () => {
  const settings = { LOG_LEVEL: "info", CORS_ORIGIN: "https://app.example.org" };
  const other = await startProgram(building, settings);
  await other.stop();
  const [first, second] = other.log.map((line) => JSON.parse(line));
  expect(first).toMatchObject({ message: "the service starts", version, commit });
  expect(second).toMatchObject({
    level: "warn",
    message: "a setting may be misspelt",
    reason: "CORS_ORIGIN is no setting, CORS_ORIGINS is",
  });
});

describe("questions about the health of the process", () => {
  it("have no line at the usual level: a proxy asks twice a second", async () => {
    const other = await startProgram(building, { LOG_LEVEL: "info" });
    for (const path of ["/livez", "/nowhere"]) await fetch(other.origin + path);
    await other.stop();
    const paths = other.log.map((line) => JSON.parse(line).path).filter(Boolean);
    expect(paths).toEqual(["/nowhere"]);
  });
});

it("requests of a proxy that is not trusted have one line", async () => {
  const headers = { "X-Forwarded-For": "203.0.113.7" };
  for (let i = 0; i < 3; i++) await requestJson(program.origin, "GET", "/livez", { headers });
  const lines = program.log.filter((line) => line.includes("TRUST_PROXY"));
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(["warn"]);
});
