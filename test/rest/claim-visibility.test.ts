import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import {
  type Claim,
  claimOf,
  hours,
  type Spot,
  spotOf,
  useBuilding,
  windowOf,
} from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdate } from "../support/rows.ts";

const building = useBuilding();
let owner: Person;
let claimer: Person;
let stranger: Person;
let administrator: Person;
let spot: Spot;
let claim: Claim;
beforeAll(async () => {
  owner = await building.resident();
  claimer = await building.resident();
  stranger = await building.resident();
  administrator = await building.administrator();
  spot = await spotOf(owner);
  claim = await claimOf(claimer, await windowOf(owner, spot));
});

const parties: readonly (readonly [string, () => Person])[] = [
  ["its claimer", () => claimer],
  ["the owner of the spot", () => owner],
  ["an administrator", () => administrator],
];

describe.each(parties)("a claim is shown to %s", (_case, party) => {
  it("by its id", async () => {
    expect(answerOf(await party().get(`/claims/${claim.id}`))).toEqual({
      status: 200,
      body: { claim },
    });
  });

  it("in the list", async () => {
    expect(answerOf(await party().get("/claims"))).toEqual({
      status: 200,
      body: { claims: [claim], total: 1 },
    });
  });
});

describe("a claim of other people", () => {
  it("is not found by its id", async () => {
    expect(answerOf(await stranger.get(`/claims/${claim.id}`))).toEqual(
      refusal(404, "Claim not found"),
    );
  });

  it("neither appears in a list nor counts, whatever the filter", async () => {
    const filters = ["", `?claimer_id=${claimer.id}`, `?spot_id=${spot.id}`, "?status=active"];

    for (const filter of filters) {
      expect(answerOf(await stranger.get(`/claims${filter}`))).toEqual({
        status: 200,
        body: { claims: [], total: 0 },
      });
    }
  });
});

describe("a claim that does not exist", () => {
  it.each(parties)("is not found by %s of another one", async (_case, party) => {
    expect(answerOf(await party().get(`/claims/${randomUUID()}`))).toEqual(
      refusal(404, "Claim not found"),
    );
  });
});

describe("a claim that began long ago", () => {
  it("is among those that end later, for its parties and administrators", async () => {
    const window = await windowOf(owner, await spotOf(owner), 1, 2);
    const long = await claimOf(claimer, window);
    for (const table of ["availabilities", "claims"] as const) {
      await backdate(building, table, table === "claims" ? long : window, -24 * 40, 2);
    }
    const query = `/claims?overlaps_start=${hours(0)}`;

    for (const [, party] of parties) {
      const { body } = await party().get<{ claims: Claim[] }>(query, 200);
      expect(body.claims.map(({ id }) => id)).toContain(long.id);
    }
    expect((await stranger.get<{ total: number }>(query, 200)).body.total).toBe(0);
  });
});
