import { describe, expect, it } from "@jest/globals";
import { type Claim, hours, spotOf, useBuilding, type Window } from "../../support/building.ts";
import { opened } from "../../support/opened.ts";
import type { Failure } from "../../support/person.ts";
import { holdsForAll } from "../../support/table.ts";
import { refusalOf } from "./cases.ts";

const building = useBuilding({ connections: 2 });
const owner = building.shared("resident");
const spot = opened(() => spotOf(owner));

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

const publish = (start_time: string, end_time = END) =>
  owner.post<{ availability: Window } & Failure>("/availabilities", {
    spot_id: spot.id,
    start_time,
    end_time,
  });

describe("a time in a body", () => {
  it("is understood, and stored to the millisecond", () =>
    holdsForAll([...spellings, [hours(1), hours(1)]], async ([written, time]) => {
      const { body } = await publish(written);
      expect(body.availability).toMatchObject({ start_time: time, end_time: END });
      const { id } = body.availability;
      const moved = await owner.put(`/availabilities/${id}`, { start_time: written }, 200);
      expect(moved.body).toEqual(body);
      const stored = await building.rows<{ start_time: Date }>(
        "select start_time from parking.availabilities where id = $1",
        [id],
      );
      expect(stored).toEqual([{ start_time: new Date(time) }]);
      await owner.delete(`/availabilities/${id}`, 200);
    }));

  it("is stored in a claim as in a window", async () => {
    const claimer = await building.resident();
    const { body } = await publish(hours(1));
    const written = { start_time: "2101-03-01T12:00:00.5+02:00", end_time: "2101-03-02T00:00:00Z" };
    const claim = { start_time: "2101-03-01T10:00:00.500Z", end_time: "2101-03-02T00:00:00.000Z" };
    const made = await claimer.post<{ claim: Claim }>(
      "/claims",
      { availability_id: body.availability.id, ...written },
      201,
    );
    expect(made.body.claim).toMatchObject(claim);
    const end_time = "2101-03-01T13:00:00+01:00";
    const moved = await claimer.put(`/claims/${made.body.claim.id}`, { end_time }, 200);
    expect(moved.body).toMatchObject({ claim: { ...claim, end_time: "2101-03-01T12:00:00.000Z" } });
    await claimer.delete(`/claims/${made.body.claim.id}`, 200);
    await owner.delete(`/availabilities/${body.availability.id}`, 200);
  });

  it("is understood also where it has passed", () =>
    holdsForAll(
      [
        ...["2000-02-29T10:00:00Z", "1969-12-31T23:59:59Z", "0001-01-01T00:00:00Z"],
        "0001-01-01T00:00:00-15:59",
      ],
      async (time) =>
        expect(await publish(time)).toMatchObject({
          status: 400,
          body: { error: "start_time must be in the future" },
        }),
    ));

  it("does not round up to the year 10000", async () => {
    const { body } = await publish("2030-06-01T10:00:00Z", "9999-12-31T23:59:59.999999999Z");
    expect(body.availability.end_time).toBe(END);
    await owner.delete(`/availabilities/${body.availability.id}`, 200);
  });
});

describe("a time in a query", () => {
  it("is understood", () =>
    holdsForAll(
      [
        ...spellings.map(([written]) => written),
        ...["2030-06-01", "2032-02-29", "0001-01-01", "9999-12-31"],
        ...["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"],
      ],
      async (time) => {
        const query = new URLSearchParams({ start_date: time, end_date: time });
        await owner.get(`/availabilities?${query}`, 200);
        await owner.get(`/claims?${query}`, 200);
      },
    ));
});

describe("an offset that RFC 3339 allows, no time zone has, and PostgreSQL does not read", () => {
  it("is named in the refusal, or understood", () =>
    holdsForAll(["+16:00", "-16:00", "+23:59", "-23:59"], async (offset) => {
      const time = `2000-06-01T10:00:00${offset}`;
      expect(refusalOf(await publish(time))).toEqual({ status: 400, fields: ["start_time"] });
      const query = new URLSearchParams({ start_date: time });
      expect([
        { status: 200, fields: [] },
        { status: 400, fields: ["start_date"] },
      ]).toContainEqual(refusalOf(await owner.get(`/availabilities?${query}`)));
    }));
});
