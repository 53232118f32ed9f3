import { beforeAll, describe, expect, it } from "@jest/globals";
import {
  type Claim,
  claimOf,
  hours,
  spotOf,
  useBuilding,
  type Window,
} from "../support/building.ts";
import type { Person } from "../support/person.ts";

const building = useBuilding();
let owner: Person;
let claimer: Person;
beforeAll(async () => {
  owner = await building.resident();
  claimer = await building.resident();
});

/** The latest time that is accepted. */
const end_time = "9999-12-31T23:59:59.999Z";

const publish = async (start_time: string): Promise<Window> => {
  const { id } = await spotOf(owner);
  const { body } = await owner.post<{ availability: Window }>(
    "/availabilities",
    { spot_id: id, start_time, end_time },
    201,
  );
  return body.availability;
};

const storedStart = async (table: "availabilities" | "claims", id: string) => {
  const [row] = await building.rows<{ start_time: Date }>(
    `select start_time from parking.${table} where id = $1`,
    [id],
  );
  return row?.start_time.toISOString();
};

/** Ways to write a time, and the one way in which the service writes it. */
describe.each([
  ["in UTC", "2101-03-01T10:00:00Z", "2101-03-01T10:00:00.000Z"],
  ["east of UTC", "2101-03-01T12:00:00+02:00", "2101-03-01T10:00:00.000Z"],
  ["west of UTC", "2101-02-28T22:30:00-11:30", "2101-03-01T10:00:00.000Z"],
  ["to the microsecond", "2101-03-01T10:00:00.123456Z", "2101-03-01T10:00:00.123Z"],
  ["on a leap day", "2104-02-29T10:00:00Z", "2104-02-29T10:00:00.000Z"],
])("a time written %s: %s", (_case, written, moment) => {
  it("is stored as the same moment in a new window", async () => {
    const window = await publish(written);

    expect(window).toMatchObject({ start_time: moment, end_time });
    expect(await storedStart("availabilities", window.id)).toBe(moment);
  });

  it("is stored as the same moment in a window that moves", async () => {
    const { id } = await publish(hours(1));

    const { body } = await owner.put<{ availability: Window }>(
      `/availabilities/${id}`,
      { start_time: written },
      200,
    );

    expect(body.availability).toMatchObject({ start_time: moment, end_time });
    expect(await storedStart("availabilities", id)).toBe(moment);
  });

  it("is stored as the same moment in a new claim", async () => {
    const window = await publish(hours(1));

    const claim = await claimOf(claimer, { ...window, start_time: written });

    expect(claim).toMatchObject({ start_time: moment, end_time });
    expect(await storedStart("claims", claim.id)).toBe(moment);
  });

  it("is stored as the same moment in a claim that moves", async () => {
    const { id } = await claimOf(claimer, await publish(hours(1)));

    const { body } = await claimer.put<{ claim: Claim }>(
      `/claims/${id}`,
      { start_time: written },
      200,
    );

    expect(body.claim).toMatchObject({ start_time: moment, end_time });
    expect(await storedStart("claims", id)).toBe(moment);
  });
});
