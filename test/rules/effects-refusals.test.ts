import { beforeAll, describe, expect, it } from "@jest/globals";
import { type Holding, holding, hours, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { everything } from "../support/rows.ts";
import {
  insertClaim,
  insertSpot,
  insertWindow,
  moveClaim,
  moveWindow,
  type Statement,
  setStatus,
} from "./support.ts";

const building = useBuilding();
let held: Holding;
beforeAll(async () => {
  held = await holding(building);
});

describe("a refused statement", () => {
  interface Attempt {
    readonly what: string;
    readonly who: (held: Holding) => Person;
    readonly statement: (held: Holding) => Statement;
  }
  const owner: Attempt["who"] = (people) => people.owner;
  const claimer: Attempt["who"] = (people) => people.claimer;

  it.each<Attempt>([
    {
      what: "a profile's flags",
      who: owner,
      statement: () => ["update parking.profiles set full_name = 'x', is_admin = true", []],
    },
    {
      what: "a spot's number that is taken",
      who: claimer,
      statement: ({ spot }) => insertSpot(spot.spot_number, "North"),
    },
    {
      what: "a spot's verification",
      who: owner,
      statement: () => ["update parking.spots set is_verified = true", []],
    },
    {
      what: "a spot's deletion",
      who: owner,
      statement: ({ spot }) => ["delete from parking.spots where id = $1", [spot.id]],
    },
    {
      what: "a window that overlaps",
      who: owner,
      statement: ({ spot }) => insertWindow(spot, hours(4), hours(6)),
    },
    {
      what: "a window in the past",
      who: owner,
      statement: ({ spot }) => insertWindow(spot, hours(-3), hours(-2)),
    },
    {
      what: "the move of a claimed window",
      who: owner,
      statement: ({ window }) => moveWindow(window, hours(6), hours(7)),
    },
    {
      what: "the deletion of a claimed window",
      who: owner,
      statement: ({ window }) => ["delete from parking.availabilities where id = $1", [window.id]],
    },
    {
      what: "a claim on a claimed window",
      who: claimer,
      statement: ({ window }) => insertClaim(window),
    },
    {
      what: "a move of a claim out of its window",
      who: claimer,
      statement: ({ claim }) => moveClaim(claim, hours(4), hours(6)),
    },
    {
      what: "an unknown status",
      who: claimer,
      statement: ({ claim }) => setStatus(claim, "expired"),
    },
    {
      what: "a status together with times",
      who: claimer,
      statement: ({ claim }) => [
        "update parking.claims set status = 'cancelled', end_time = $2 where id = $1",
        [claim.id, hours(4)],
      ],
    },
  ])("writes nothing anywhere: $what", async ({ who, statement }) => {
    const before = await everything(building);
    await who(held).sqlError(...statement(held));
    expect(await everything(building)).toEqual(before);
  });
});
