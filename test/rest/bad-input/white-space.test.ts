import { beforeAll, describe, expect, it } from "@jest/globals";
import { complaint, malformed } from "../../support/answers.ts";
import {
  hours,
  type Spot,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../../support/building.ts";
import type { Person } from "../../support/person.ts";

const building = useBuilding();
let owner: Person;
let spot: Spot;
let window: Window;
beforeAll(async () => {
  owner = await building.resident();
  spot = await spotOf(owner);
  window = await windowOf(owner, spot);
});

describe.each([" ", "\t", "\u00a0", "\ufeff"])("white space %j", (space) => {
  const encoded = encodeURIComponent(space);

  it("is refused around an id", async () => {
    const times = { start_time: hours(10), end_time: hours(11) };
    const body = { spot_id: `${space}${spot.id}`, ...times };
    expect(complaint(await owner.post("/availabilities", body))).toEqual(malformed("spot_id"));
    expect(complaint(await owner.get(`/parking-spots/${spot.id}${encoded}`))).toEqual(
      malformed("id"),
    );
    expect(complaint(await owner.get(`/claims?spot_id=${encoded}${spot.id}`))).toEqual(
      malformed("spot_id"),
    );
  });

  it("is refused around a time", async () => {
    const body = { start_time: `${hours(10)}${space}`, end_time: `${space}${hours(11)}` };
    const { fields, ...answer } = complaint(await owner.put(`/availabilities/${window.id}`, body));
    expect({ ...answer, fields: fields.toSorted() }).toEqual(malformed("end_time", "start_time"));
    expect(complaint(await owner.get(`/claims?start_date=2030-01-01${encoded}`))).toEqual(
      malformed("start_date"),
    );
  });
});
