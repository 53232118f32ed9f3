import { beforeAll, describe, expect, it } from "@jest/globals";
import { type Claim, type Spot, spotOf, useBuilding, type Window } from "../support/building.ts";
import type { Person } from "../support/person.ts";

interface Row {
  readonly id: string;
}

const building = useBuilding();
let ann: Person;
let bob: Person;
let cid: Person;
let administrator: Person;
let north: Spot;
let south: Spot;
let cancelled: Claim;
/** The names of the rows in these tests, by id. */
const names = new Map<string, string>();

const named = <R extends Row>(name: string, row: R): R => {
  names.set(row.id, name);
  return row;
};

/** January of a year far ahead, so that the tests of the date filters can use fixed dates. */
const january = (time: string): string => `2101-01-${time}:00:00.000Z`;

const publish = async (owner: Person, { id }: Spot, from: string, to: string) => {
  const times = { start_time: january(from), end_time: january(to) };
  const { body } = await owner.post<{ availability: Window }>(
    "/availabilities",
    { spot_id: id, ...times },
    201,
  );
  return body.availability;
};

const claim = async (person: Person, window: Window, status: string) => {
  const { id, start_time, end_time } = window;
  const { body } = await person.post<{ claim: Claim }>(
    "/claims",
    { availability_id: id, start_time, end_time },
    201,
  );
  await person.put(`/claims/${body.claim.id}`, { status }, 200);
  return body.claim;
};

beforeAll(async () => {
  ann = named("Ann", await building.resident());
  bob = named("Bob", await building.resident());
  cid = named("Cid", await building.resident());
  administrator = named("administrator", await building.administrator());
  named("waiting", await building.unapproved());

  north = named("north", await spotOf(ann, "North wing"));
  south = named("south", await spotOf(bob, "South wing"));
  named("north of Bob", await spotOf(bob, "North wing"));
  await administrator.put(`/admin/parking-spots/${north.id}`, { is_verified: true }, 200);

  const first = named("1st", await publish(ann, north, "01T10", "01T12"));
  const second = named("2nd", await publish(ann, north, "02T00", "02T06"));
  const third = named("3rd", await publish(bob, south, "02T10", "03T00"));
  named("completed", await claim(cid, first, "completed"));
  cancelled = named("cancelled", await claim(cid, second, "cancelled"));
  named("active", await claim(ann, third, "active"));

  const notifications = await building.rows<Row & { kind: string }>(
    `update parking.notifications
        set is_read = kind = 'claim.submitted'
      where recipient_id = $1
     returning id, split_part(kind, '.', 2) as kind`,
    [ann.id],
  );
  for (const notification of notifications) named(notification.kind, notification);
});

const namesIn = async (person: Person, path: string, member: string, filter: object) => {
  const query = new URLSearchParams(Object.entries(filter));
  const { body } = await person.get<Readonly<Record<string, readonly Row[] | number>>>(
    `${path}?${query}`,
    200,
  );
  const rows = body[member];
  if (typeof rows !== "object") throw new Error(`${path} has no list of ${member}`);
  expect(body.total).toBe(rows.length);
  return rows.map(({ id }) => names.get(id)).toSorted();
};

describe("GET /parking-spots", () => {
  it.each([
    ["all without a filter", () => ({}), ["north", "north of Bob", "south"]],
    ["what an owner has", () => ({ owner_id: bob.id }), ["north of Bob", "south"]],
    [
      "what an owner has whose id is in capitals",
      () => ({ owner_id: ann.id.toUpperCase() }),
      ["north"],
    ],
    ["nothing of a person who has nothing", () => ({ owner_id: cid.id }), []],
    [
      "the spots of a section",
      () => ({ building_section: "North wing" }),
      ["north", "north of Bob"],
    ],
    [
      "a section with white space around it",
      () => ({ building_section: " South wing " }),
      ["south"],
    ],
    ["no section by a part of its name", () => ({ building_section: "North" }), []],
    ["the verified", () => ({ is_verified: true }), ["north"]],
    ["the others", () => ({ is_verified: false }), ["north of Bob", "south"]],
    [
      "what all filters agree on",
      () => ({ owner_id: bob.id, building_section: "North wing", is_verified: false }),
      ["north of Bob"],
    ],
  ])("finds %s", async (_case, filter, expected) => {
    expect(await namesIn(cid, "/parking-spots", "spots", filter())).toEqual(expected);
  });
});

describe("GET /availabilities", () => {
  it.each([
    ["all without a filter", () => ({}), ["1st", "2nd", "3rd"]],
    ["what is of a spot", () => ({ spot_id: north.id }), ["1st", "2nd"]],
    ["what an owner has", () => ({ owner_id: bob.id }), ["3rd"]],
    ["the claimed", () => ({ is_claimed: true }), ["1st", "3rd"]],
    ["the free", () => ({ is_claimed: false }), ["2nd"]],
    ["what starts on a date or later", () => ({ start_date: "2101-01-02" }), ["2nd", "3rd"]],
    [
      "what starts at a time or later",
      () => ({ start_date: "2101-01-01T10:00:00Z" }),
      ["1st", "2nd", "3rd"],
    ],
    [
      "nothing that starts a moment too early",
      () => ({ start_date: "2101-01-01T10:00:00.001Z" }),
      ["2nd", "3rd"],
    ],
    [
      "what starts later in another time zone",
      () => ({ start_date: "2101-01-02T01:30:00+02:00" }),
      ["2nd", "3rd"],
    ],
    ["what ends before a date", () => ({ end_date: "2101-01-02" }), ["1st"]],
    ["nothing that ends as the date begins", () => ({ end_date: "2101-01-03" }), ["1st", "2nd"]],
    [
      "what ends a moment earlier",
      () => ({ end_date: "2101-01-03T00:00:00.001Z" }),
      ["1st", "2nd", "3rd"],
    ],
    [
      "what ends earlier in another time zone",
      () => ({ end_date: "2101-01-01T23:00:01-07:00" }),
      ["1st", "2nd"],
    ],
    [
      "what lies between two dates",
      () => ({ start_date: "2101-01-02", end_date: "2101-01-03" }),
      ["2nd"],
    ],
    [
      "what all filters agree on",
      () => ({
        spot_id: north.id,
        owner_id: ann.id,
        is_claimed: true,
        start_date: "2101-01-01",
        end_date: "2101-01-03",
      }),
      ["1st"],
    ],
  ])("finds %s", async (_case, filter, expected) => {
    expect(await namesIn(cid, "/availabilities", "availabilities", filter())).toEqual(expected);
  });
});

describe("GET /claims", () => {
  it.each([
    ["all without a filter", () => ({}), ["active", "cancelled", "completed"]],
    ["what a person claimed", () => ({ claimer_id: cid.id }), ["cancelled", "completed"]],
    ["what is of a spot", () => ({ spot_id: south.id }), ["active"]],
    ["the active", () => ({ status: "active" }), ["active"]],
    ["the completed", () => ({ status: "completed" }), ["completed"]],
    ["the cancelled", () => ({ status: "cancelled" }), ["cancelled"]],
    [
      "what starts on a date or later",
      () => ({ start_date: "2101-01-02" }),
      ["active", "cancelled"],
    ],
    [
      "nothing that starts a moment too early",
      () => ({ start_date: "2101-01-02T00:00:00.001Z" }),
      ["active"],
    ],
    ["what ends before a date", () => ({ end_date: "2101-01-02" }), ["completed"]],
    [
      "what ends before a time",
      () => ({ end_date: "2101-01-02T06:00:00.001Z" }),
      ["cancelled", "completed"],
    ],
    ["nothing that ends at the time", () => ({ end_date: "2101-01-02T06:00:00Z" }), ["completed"]],
    [
      "what ends after a time, also where it has begun",
      () => ({ overlaps_start: "2101-01-02T05:59:59.999Z" }),
      ["active", "cancelled"],
    ],
    [
      "nothing that ends at the time after which it is to end",
      () => ({ overlaps_start: "2101-01-02T06:00:00Z" }),
      ["active"],
    ],
    [
      "what all filters agree on",
      () => ({
        claimer_id: cid.id,
        spot_id: north.id,
        status: "cancelled",
        start_date: "2101-01-01",
        end_date: "2101-01-03",
      }),
      ["cancelled"],
    ],
  ])("finds %s", async (_case, filter, expected) => {
    expect(await namesIn(administrator, "/claims", "claims", filter())).toEqual(expected);
  });
});

describe("GET /notifications", () => {
  it.each([
    [
      "all without a filter",
      () => ({}),
      ["cancelled", "completed", "submitted", "submitted", "verified"],
    ],
    ["the read", () => ({ is_read: true }), ["submitted", "submitted"]],
    ["the unread", () => ({ is_read: false }), ["cancelled", "completed", "verified"]],
    ["what is about a claim", () => ({ claim_id: cancelled.id }), ["cancelled", "submitted"]],
    ["nothing about what is no claim", () => ({ claim_id: north.id }), []],
  ])("finds %s", async (_case, filter, expected) => {
    expect(await namesIn(ann, "/notifications", "notifications", filter())).toEqual(expected);
  });
});

describe("GET /admin/profiles", () => {
  it.each([
    ["all without a filter", {}, ["Ann", "Bob", "Cid", "administrator", "waiting"]],
    ["the approved", { is_approved: true }, ["Ann", "Bob", "Cid", "administrator"]],
    ["those who wait for approval", { is_approved: false }, ["waiting"]],
    ["the administrators", { is_admin: true }, ["administrator"]],
    ["the others", { is_admin: false }, ["Ann", "Bob", "Cid", "waiting"]],
    ["what both filters agree on", { is_approved: true, is_admin: false }, ["Ann", "Bob", "Cid"]],
  ])("finds %s", async (_case, filter, expected) => {
    expect(await namesIn(administrator, "/admin/profiles", "profiles", filter)).toEqual(expected);
  });
});
