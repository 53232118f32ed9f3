import { beforeAll, describe, expect, it } from "@jest/globals";
import { type Spot, spotOf, useBuilding, type Window } from "../../support/building.ts";
import type { Person } from "../../support/person.ts";
import { refusalOf } from "./cases.ts";

const building = useBuilding({ connections: 2 });
let owner: Person;
let spot: Spot;
beforeAll(async () => {
  owner = await building.resident();
  spot = await spotOf(owner);
});

/** Every way in which RFC 3339 writes a time, and how the service writes it. */
const spellings: readonly (readonly [written: string, time: string])[] = [
  ["2030-06-01T10:00:00Z", "2030-06-01T10:00:00.000Z"],
  ["2030-06-01t10:00:00z", "2030-06-01T10:00:00.000Z"],
  ["2030-06-01T10:00:00.5Z", "2030-06-01T10:00:00.500Z"],
  ["2030-06-01T10:00:00.123Z", "2030-06-01T10:00:00.123Z"],
  ["2030-06-01T10:00:00.123456Z", "2030-06-01T10:00:00.123Z"],
  ["2030-06-01T10:00:00.123456789Z", "2030-06-01T10:00:00.123Z"],
  ["2030-06-01T10:00:00+00:00", "2030-06-01T10:00:00.000Z"],
  ["2030-06-01T10:00:00-00:00", "2030-06-01T10:00:00.000Z"],
  ["2030-06-01T10:00:00+02:00", "2030-06-01T08:00:00.000Z"],
  ["2030-06-01T10:00:00-09:30", "2030-06-01T19:30:00.000Z"],
  ["2030-06-01T23:59:59+14:00", "2030-06-01T09:59:59.000Z"],
  ["2030-06-01T00:00:00-12:00", "2030-06-01T12:00:00.000Z"],
  ["2030-12-31T23:59:59.999-01:00", "2031-01-01T00:59:59.999Z"],
  ["2032-02-29T10:00:00Z", "2032-02-29T10:00:00.000Z"],
  ["2400-02-29T10:00:00Z", "2400-02-29T10:00:00.000Z"],
];

const END = "9999-12-31T23:59:59.999Z";

describe("a time in a body", () => {
  it.each(spellings)("%j is understood", async (written, time) => {
    const { body } = await owner.post<{ availability: Window }>(
      "/availabilities",
      { spot_id: spot.id, start_time: written, end_time: END },
      201,
    );
    expect(body.availability).toMatchObject({ start_time: time, end_time: END });
    await owner.delete(`/availabilities/${body.availability.id}`, 200);
  });

  it.each([
    "2000-02-29T10:00:00Z",
    "1969-12-31T23:59:59Z",
    "0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00-15:59",
  ])("%s is understood, and has passed", async (start_time) => {
    const answer = await owner.post("/availabilities", {
      spot_id: spot.id,
      start_time,
      end_time: END,
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: "start_time must be in the future" },
    });
  });

  it("does not round up to the year 10000", async () => {
    const { body } = await owner.post<{ availability: Window }>(
      "/availabilities",
      {
        spot_id: spot.id,
        start_time: "2030-06-01T10:00:00Z",
        end_time: "9999-12-31T23:59:59.999999999Z",
      },
      201,
    );
    expect(body.availability.end_time).toBe(END);
    await owner.delete(`/availabilities/${body.availability.id}`, 200);
  });
});

describe("a time in a query", () => {
  it.each([
    ...spellings.map(([written]) => written),
    "2030-06-01",
    "2032-02-29",
    "0001-01-01",
    "9999-12-31",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999999Z",
  ])("%s is understood", async (time) => {
    const query = `start_date=${encodeURIComponent(time)}&end_date=${encodeURIComponent(time)}`;
    await owner.get(`/availabilities?${query}`, 200);
    await owner.get(`/claims?${query}`, 200);
  });
});

/** Offsets that RFC 3339 allows, that no time zone has, and that PostgreSQL does not read. */
describe.each(["+16:00", "-16:00", "+23:59", "-23:59"])("a time with the offset %s", (offset) => {
  const time = `2000-06-01T10:00:00${offset}`;

  it("in a body is named in the refusal, for its form or because it is past", async () => {
    const times = { start_time: time, end_time: END };
    const answer = await owner.post("/availabilities", { spot_id: spot.id, ...times });
    expect(refusalOf(answer)).toEqual({ status: 400, fields: ["start_time"] });
  });

  it("in a query is understood, or named in the refusal", async () => {
    const answer = await owner.get(`/availabilities?start_date=${encodeURIComponent(time)}`);
    expect([
      { status: 200, fields: [] },
      { status: 400, fields: ["start_date"] },
    ]).toContainEqual(refusalOf(answer));
  });
});
