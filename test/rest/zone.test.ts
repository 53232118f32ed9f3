import { describe, expect, it } from "@jest/globals";
import { createLogger } from "../../src/log/logger.ts";
import { type ClockOffset, differenceOf, noticeZone } from "../../src/rest/checks.ts";
import { useBuilding } from "../support/building.ts";

const building = useBuilding();

const offsets = (...given: readonly (readonly [string, number])[]): readonly ClockOffset[] =>
  given.map(([since, minutes]) => ({ since: new Date(since), minutes }));

describe("a zone of which PostgreSQL says", () => {
  const berlin: readonly (readonly [string, number])[] = [
    ["2030-01-01T00:00:00Z", 60],
    ["2030-03-31T01:00:00Z", 120],
    ["2030-10-27T01:00:00Z", 60],
    ["2031-03-30T01:00:00Z", 120],
    ["2031-10-26T01:00:00Z", 60],
  ];
  const differs = (...given: readonly (readonly [string, number])[]) =>
    differenceOf("Europe/Berlin", offsets(...given));

  it("the same offsets, is one for both", () => {
    expect(differs(...berlin)).toBeUndefined();
    expect(differenceOf("UTC", offsets(["2030-01-01T00:00:00Z", 0]))).toBeUndefined();
  });

  it("no summer time, or another hour of its beginning, is named with both offsets", () => {
    expect(differs(["2030-01-01T00:00:00Z", 60])).toBe(
      "Europe/Berlin is +01:00 for PostgreSQL and +02:00 for the service at 2030-04-01T00:00:00.000Z",
    );
    expect(differs(...berlin.with(3, ["2031-03-30T02:00:00Z", 120]))).toMatch(
      /^Europe\/Berlin is \+01:00 for PostgreSQL and \+02:00 .* at 2031-03-30T01:59:59.999Z$/,
    );
  });

  it("anything, is refused where the service does not know it", () => {
    expect(differenceOf("Europe/Nowhere", [])).toBe("Europe/Nowhere is not known to the service");
  });
});

it.each([
  ["Europe/Berlin", ["2030-01-01T00:00 60", "2030-03-31T01:00 120", "2030-10-27T01:00 60"]],
  ["Australia/Lord_Howe", ["2030-01-01T00:00 660", "2030-04-06T15:00 630", "2030-10-05T15:30 660"]],
  ["Asia/Kathmandu", ["2030-01-01T00:00 345"]],
])("the offsets of a zone are those of %s", async (zone, expected) => {
  const rows = await building.rows<{ since: Date; minutes: number }>(
    "select * from private.clock_offsets($1, '2030-01-01Z', '2031-01-01Z')",
    [zone],
  );
  expect(rows.map((it) => `${it.since.toISOString().slice(0, 16)} ${it.minutes}`)).toEqual(
    expected,
  );
});

it("GET /building/offsets has those of two years back and ahead, for residents", async () => {
  await building.rows("update parking.building set time_zone = 'Europe/Berlin'");
  const resident = await building.resident();
  const { body } = await resident.get<{ offsets: { since: string; minutes: number }[] }>(
    "/building/offsets",
    200,
  );
  expect(body.offsets.length).toBeGreaterThanOrEqual(8);
  expect(new Set(body.offsets.map(({ minutes }) => minutes))).toEqual(new Set([60, 120]));
  const years = (Date.parse(body.offsets[0]?.since ?? "") - Date.now()) / (365.25 * 86_400_000);
  expect(Math.round(years)).toBe(-2);
  expect((await (await building.newcomer()).get("/building/offsets")).status).toBe(403);
  await building.rows("update parking.building set time_zone = 'UTC'");
});

it("the start says in one line where both do not agree", async () => {
  const lines: string[] = [];
  const logger = Object.assign(createLogger("silent"), { warn: (it: string) => lines.push(it) });
  await noticeZone(building.service.pool, logger);
  expect(lines).toEqual([]);
  await building.rows(
    `alter table parking.building disable trigger building_time_zone_is_known;
     update parking.building set time_zone = 'CET'`,
  );
  await noticeZone(building.service.pool, logger);
  expect(lines).toEqual([
    expect.stringMatching(/^time zone: CET is \+01:00 for PostgreSQL and \+02:00 for the service/),
  ]);
});
