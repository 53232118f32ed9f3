import { describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { claimOf, hours, spotOf, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { writePastRules } from "../support/rows.ts";

interface Board {
  readonly availabilities: readonly { readonly id: string }[];
  readonly claims: readonly { readonly id: string }[];
}

const building = useBuilding();

const boardOf = async (person: Person, from: string, until: string): Promise<Board> =>
  (await person.get<Board>(`/board?${new URLSearchParams({ from, until })}`, 200)).body;

const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

describe("GET /board", () => {
  it("has what touches a period, as the lists have it, and claims for those who may see them", async () => {
    const [owner, claimer, other] = [
      await building.resident(),
      await building.resident(),
      await building.resident(),
    ];
    const administrator = await building.administrator();
    const window = await windowOf(owner, await spotOf(owner), 48, 50);
    const beside = await windowOf(owner, await spotOf(owner), 50, 52);
    const claim = await claimOf(claimer, window);
    const [from, until] = [hours(49), hours(50)];

    const { availabilities, claims } = await boardOf(claimer, from, until);
    expect(ids(availabilities)).toContain(window.id);
    expect(ids(availabilities)).not.toContain(beside.id);
    const read = await claimer.get<{ availability: object }>(`/availabilities/${window.id}`, 200);
    expect(availabilities).toContainEqual(read.body.availability);
    const { body } = await claimer.get<{ claim: object }>(`/claims/${claim.id}`, 200);
    expect(claims).toEqual([body.claim]);
    for (const person of [owner, administrator])
      expect(ids((await boardOf(person, from, until)).claims)).toContain(claim.id);
    expect((await boardOf(other, from, until)).claims).toEqual([]);
    expect((await boardOf(claimer, hours(50), hours(51))).claims).toEqual([]);
  });

  it("has a thousand windows and claims in one answer, and refuses more than 10,000", async () => {
    const [owner, claimer] = [await building.resident(), await building.resident()];
    const spot = await spotOf(owner);
    const publish = (first: number, last: number) =>
      writePastRules(
        building,
        `insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
         select $1, $2, '2090-01-01Z'::timestamptz + n * interval '1 minute',
                '2090-01-01Z'::timestamptz + (n + 1) * interval '1 minute'
           from generate_series($3::int, $4::int) n`,
        [spot.id, owner.id, first, last],
      );
    await publish(1, 1_000);
    await writePastRules(
      building,
      `insert into parking.claims
         (availability_id, spot_id, owner_id, claimer_id, start_time, end_time, takes)
       select id, spot_id, owner_id, $2, start_time, end_time, during
         from parking.availabilities where spot_id = $1`,
      [spot.id, claimer.id],
    );
    const { availabilities, claims } = await boardOf(owner, "2090-01-01", "2090-02-01");
    expect([availabilities.length, claims.length]).toEqual([1_000, 1_000]);

    await publish(1_001, 10_001);
    expect(answerOf(await owner.get("/board?from=2090-01-01&until=2090-02-01"))).toEqual(
      refusal(
        400,
        "The report would have more than 10000 rows: choose a shorter period or one section",
      ),
    );
  });
});
