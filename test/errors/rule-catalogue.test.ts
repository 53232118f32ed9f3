import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { spotOf, useBuilding } from "../support/building.ts";
import { opened } from "../support/opened.ts";

const building = useBuilding({ connections: 2 });
const owner = building.shared("resident");
const spot = opened(() => spotOf(owner));

// The service keeps the catalogue for a second. Each test starts a minute later, to have it read.
const now = performance.now.bind(performance);
let minutes = 0;
beforeEach(() => {
  minutes += 1;
  jest.spyOn(performance, "now").mockImplementation(() => now() + minutes * 60_000);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const register = (spot_number: string) =>
  owner.post("/parking-spots", { spot_number, building_section: "North" });

describe.each([
  [
    "can no longer be read",
    "revoke select on private.rules from parking_api",
    "grant select on private.rules to parking_api",
  ],
  [
    "lacks a column",
    "alter view private.rules rename column message to text",
    "alter view private.rules rename column text to message",
  ],
])("a catalogue of rules that %s", (_what, spoil, mend) => {
  beforeEach(() => building.rows(spoil));
  afterEach(() => building.rows(mend));

  it("keeps the message of a known rule", async () => {
    expect(await register(spot.spot_number)).toMatchObject({
      status: 409,
      body: { error: "A parking spot with this number already exists" },
    });
  });

  it("gives a general message for a new rule", async () => {
    await building.rows(
      `alter table parking.spots
         add constraint spots_not_thirteen check (spot_number <> '13')`,
    );
    const { status, body } = await register("13");
    await building.rows("alter table parking.spots drop constraint spots_not_thirteen");
    expect([
      { status: 400, body: { error: "Invalid data" } },
      { status: 500, body: { error: "Internal server error" } },
    ]).toContainEqual({ status, body });
  });
});

it("a catalogue of rules is read for strangers once a minute, however often they ask", async () => {
  const query = jest.spyOn(building.service.pool, "query");
  const ask = async (path: string) => (await fetch(`${building.service.origin}/api${path}`)).status;
  const feed = `/calendar-feed.ics?sig=${"x".repeat(43)}`;
  for (let times = 0; times < 25; times += 1) {
    minutes += 2.1 / 60;
    expect([await ask("/openapi.json"), await ask(feed)]).toEqual([200, 404]);
  }
  const reads = query.mock.calls.filter(([text]) => String(text).includes("private.rules"));

  expect(reads).toHaveLength(1);
});

describe("a rule with a malformed comment", () => {
  const comment = (text: string) =>
    building.rows(`comment on index parking.spots_spot_number_is_unique is '${text}'`);
  afterEach(() => comment("A parking spot with this number already exists"));

  it.each([
    "@status 999\nToo high",
    "@status 204\nNo answer",
    "@status 400",
    "@field spot_number",
    "",
  ])("%j still gives an error of the usual form", async (text) => {
    await comment(text);
    const { status, body } = await register(spot.spot_number);
    expect([400, 409, 500]).toContain(status);
    expect(body.error).toMatch(/^\w/);
  });
});
