import { beforeEach, describe, expect, it } from "@jest/globals";
import { answerOf } from "../support/answers.ts";
import { claimOf, spotOf, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdate, writePastRules } from "../support/rows.ts";

interface Dashboard {
  readonly stats: Readonly<Record<string, number>>;
  readonly recent_spots: readonly { readonly id: string }[];
  readonly recent_claims: readonly { readonly id: string; readonly spot_id: string }[];
}

const building = useBuilding();
let owner: Person;
let claimer: Person;
beforeEach(async () => {
  owner = await building.resident();
  claimer = await building.resident();
});

const dashboardOf = async (person: Person): Promise<Dashboard> =>
  (await person.get<Dashboard>("/dashboard", 200)).body;

const claimed = async () => claimOf(claimer, await windowOf(owner, await spotOf(owner)));

/**
 * Sets the creation of the rows a minute apart, in the order of `ids`. The tests give the ids
 * backwards, because ids grow with the time of creation, too.
 */
const spreadOut = (table: "spots" | "claims", ids: readonly string[]) =>
  writePastRules(
    building,
    `update parking.${table}
        set created_at = '2026-01-01T00:00:00Z'::timestamptz
          + array_position($1, id) * interval '1 minute'
      where id = any ($1)`,
    [ids],
  );

describe("GET /dashboard", () => {
  it("is all zeros and empty lists for a person who has done nothing yet", async () => {
    await claimed();

    expect(answerOf(await (await building.resident()).get("/dashboard"))).toEqual({
      status: 200,
      body: {
        stats: { total_spots: 0, active_spots: 0, total_claims: 0, active_claims: 0 },
        recent_spots: [],
        recent_claims: [],
      },
    });
  });

  it("counts the caller's own spots and claims", async () => {
    await claimed();
    await spotOf(owner);

    expect((await dashboardOf(owner)).stats).toMatchObject({ total_spots: 2, total_claims: 0 });
    expect((await dashboardOf(claimer)).stats).toMatchObject({ total_spots: 0, total_claims: 1 });
  });

  it.each([
    ["has begun and not ended", -2, 3, 1],
    ["is still to come", 1, 3, 0],
    ["is over", -3, -1, 0],
  ])(
    "counts a spot as active %s: windows from %d to %d give %d",
    async (_case, from, to, active) => {
      const window = await windowOf(owner, await spotOf(owner));
      await backdate(building, "availabilities", window, from, to);

      expect((await dashboardOf(owner)).stats).toMatchObject({
        total_spots: 1,
        active_spots: active,
      });
    },
  );

  it.each(["completed", "cancelled"])("counts a %s claim, though not as active", async (status) => {
    await claimed();
    const { id } = await claimed();
    await claimer.put(`/claims/${id}`, { status }, 200);

    expect((await dashboardOf(claimer)).stats).toMatchObject({ total_claims: 2, active_claims: 1 });
  });

  it("shows the five newest spots, newest first", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 6; count++) ids.unshift((await spotOf(owner)).id);
    await spreadOut("spots", ids);

    const { stats, recent_spots } = await dashboardOf(owner);

    expect(stats.total_spots).toBe(6);
    expect(recent_spots.map(({ id }) => id)).toEqual(ids.slice(1).reverse());
  });

  it("shows the five newest claims, newest first, whatever their status and times", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 6; count++) ids.unshift((await claimed()).id);
    await spreadOut("claims", ids);
    await claimer.put(`/claims/${ids[5]}`, { status: "cancelled" }, 200);

    const { stats, recent_claims } = await dashboardOf(claimer);

    expect(stats).toMatchObject({ total_claims: 6, active_claims: 5 });
    expect(recent_claims.map(({ id }) => id)).toEqual(ids.slice(1).reverse());
  });
});
