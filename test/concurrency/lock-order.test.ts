import { afterEach, describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { claimOf, hours, spotOf, windowOf } from "../support/building.ts";
import { except } from "../support/exceptions.ts";
import { patternOf, threeDays } from "../support/patterns.ts";
import { type Person, requestJson } from "../support/person.ts";
import { backdate } from "../support/rows.ts";
import { withTransactionOf } from "../support/sql.ts";
import { untilWaiting } from "../support/waiting.ts";
import { expectConsistency } from "./consistency.ts";
import { connectionsFor, outcomeOf, outcomeOfSql, type Rival } from "./rivals.ts";

const building = useArena(connectionsFor(4));
const administrator = building.shared("administrator");
afterEach(async () => {
  await expectConsistency(building);
  expect(await building.rows("select * from private.count_drifts")).toEqual([]);
});

type Table = "availabilities" | "claims" | "spots";

/** Starts one after the other while somebody else has a row, each when the one before it waits or has ended. */
const whileHeld = (
  table: Table,
  { id }: { readonly id: string },
  rivals: readonly (readonly [waits: number, rival: Rival])[],
): Promise<string[]> =>
  withTransactionOf(building.superuser, async (gate) => {
    await gate.query(`select from parking.${table} where id = $1 for update`, [id]);
    const outcomes: Promise<string>[] = [];
    for (const [waiting, rival] of rivals) {
      const outcome = rival();
      outcomes.push(outcome);
      if (waiting === 0) await outcome;
      else await untilWaiting(building, waiting);
    }
    await gate.query("commit");
    return Promise.all(outcomes);
  });

/** A spot with two windows; in the first of them a claim that has ended, but is active. */
async function scene() {
  const [owner, claimer] = [await building.resident(), await building.resident()];
  const spot = await spotOf(owner);
  const windows = [await windowOf(owner, spot, 1, 5), await windowOf(owner, spot, 10, 15)] as const;
  const claim = await claimOf(claimer, windows[0]);
  await backdate(building, "availabilities", windows[0], -5, -1);
  await backdate(building, "claims", claim, -5, -1);
  await building.rows("select private.recount()"); // triggers did not count the dates above
  return { owner, claimer, spot, windows, claim };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const deletion =
  ({ owner, spot }: Pick<Scene, "owner" | "spot">): Rival =>
  () =>
    outcomeOf(owner.delete(`/parking-spots/${spot.id}`));

describe("the deletion of a spot", () => {
  it("does not wait in a circle with an UPDATE of its window", async () => {
    const owner = await building.resident();
    const spot = await spotOf(owner);
    const first = await windowOf(owner, spot, 1, 5);
    const second = await windowOf(owner, spot, 10, 15);
    const move = () =>
      outcomeOfSql(
        owner.sql("update parking.availabilities set end_time = $2 where id = $1", [
          second.id,
          hours(16),
        ]),
      );
    expect(
      await whileHeld("availabilities", first, [
        [1, deletion({ owner, spot })],
        [2, move],
      ]),
    ).toEqual(["200", "done"]);
  });

  const status = "update parking.claims set status = 'cancelled' where id = $1";
  const endings: readonly (readonly [string, (scene: Scene) => Rival, string])[] = [
    [
      "PUT /claims/{id}",
      ({ claimer, claim }) =>
        () =>
          outcomeOf(claimer.put(`/claims/${claim.id}`, { status: "cancelled" })),
      "400 Cannot change status from completed/cancelled",
    ],
    [
      "DELETE /claims/{id}",
      ({ claimer, claim }) =>
        () =>
          outcomeOf(claimer.delete(`/claims/${claim.id}`)),
      "400 Cannot delete a completed claim",
    ],
    [
      "an UPDATE",
      ({ claimer, claim }) =>
        () =>
          outcomeOfSql(claimer.sql(status, [claim.id])),
      "claims_closed_stay_closed",
    ],
  ];
  it.each(endings)(
    "does not wait in a circle with the end of a claim that is over: %s",
    async (_how, ending, outcome) => {
      const all = await scene();
      expect(
        await whileHeld("availabilities", all.windows[1], [
          [1, deletion(all)],
          [2, ending(all)],
        ]),
      ).toEqual(["200", outcome]);
    },
  );

  it("waits for an UPDATE that makes an ended claim last longer, and is refused", async () => {
    const all = await scene();
    const { claimer, claim, windows } = all;
    await backdate(building, "availabilities", windows[0], -5, 5);
    await building.rows("select private.recount()");
    await withTransactionOf(building.superuser, async (gate) => {
      await gate.query("update parking.claims set end_time = $2 where id = $1", [
        claim.id,
        hours(4),
      ]);
      const outcome = deletion(all)();
      await untilWaiting(building, 1);
      await gate.query("commit");
      expect(await outcome).toBe("409 Cannot delete a parking spot with active claims");
    });
    await claimer.put(`/claims/${claim.id}`, { status: "completed" }, 200);
  });
});

describe("an administrator's removal of a window", () => {
  it("does not wait in a circle with PUT /availabilities/{id}", async () => {
    const owner = await building.resident();
    const spot = await spotOf(owner);
    const first = await windowOf(owner, spot, 1, 5);
    const second = await windowOf(owner, spot, 10, 15);
    const move = () => outcomeOf(owner.put(`/availabilities/${first.id}`, { end_time: hours(6) }));
    const removal = () =>
      outcomeOf(administrator.delete(`/admin/availabilities/${second.id}?reason=Building%20site`));
    expect(
      await whileHeld("availabilities", first, [
        [1, move],
        [2, removal],
      ]),
    ).toEqual(["200", "200"]);
  });
});

it("an UPDATE of a pattern does not wait in a circle with PUT /patterns/{id}", async () => {
  const owner = await building.resident();
  const { id } = await patternOf(owner, threeDays(await spotOf(owner)));
  await withTransactionOf(building.superuser, async (gate) => {
    const plans = "select from parking.profiles where id = $1 for update";
    await gate.query(plans, [owner.id]);
    const change = outcomeOf(owner.put(`/patterns/${id}`, { ends_at: "17:00" }));
    await untilWaiting(building, 1);
    const update = "update parking.patterns set starts_at = '09:00' where id = $1";
    const outcome = outcomeOfSql(owner.sql(update, [id]));
    await untilWaiting(building, 2);
    await gate.query("commit");
    expect(await Promise.all([change, outcome])).toEqual(["200", "done"]);
  });
  expect(await building.rows("select starts_at, ends_at from parking.patterns")).toEqual([
    { starts_at: "09:00", ends_at: "17:00" },
  ]);
});

it("a new window that overlaps one does not wait in a circle with the claims of that one", async () => {
  const [owner, claimer] = [await building.resident(), await building.resident()];
  const spot = await spotOf(owner);
  const window = await windowOf(owner, spot, 1, 5);
  const claim = await claimOf(claimer, window);
  await withTransactionOf(building.superuser, async (gate) => {
    await gate.query("update parking.claims set status = 'cancelled' where id = $1", [claim.id]);
    const outcome = outcomeOf(
      owner.post("/availabilities", {
        spot_id: spot.id,
        start_time: hours(2),
        end_time: hours(6),
      }),
    );
    await untilWaiting(building, 1);
    await gate.query(
      `insert into parking.claims (availability_id, spot_id, owner_id, claimer_id, start_time, end_time)
       select availability_id, spot_id, owner_id, claimer_id, start_time, end_time
         from parking.claims where id = $1`,
      [claim.id],
    );
    await gate.query("commit");
    expect(await outcome).toBe("409 Availability overlaps an existing availability of this spot");
  });
});

describe("the erasure of a person", () => {
  const erasure =
    ({ id }: Person, headers: Readonly<Record<string, string>> = {}): Rival =>
    () =>
      outcomeOf(
        requestJson(building.service.origin, "DELETE", `/api/admin/profiles/${id}?reason=left`, {
          token: administrator.token,
          headers,
        }),
      );

  /** Two claims of the person's windows that have not ended. */
  async function claimed() {
    const [person, claimer] = [await building.resident(), await building.resident()];
    const spot = await spotOf(person);
    const claims = [
      await claimOf(claimer, await windowOf(person, spot, 1, 5)),
      await claimOf(claimer, await windowOf(person, spot, 10, 15)),
    ] as const;
    return { person, claimer, spot, claims };
  }

  it.each([
    ["", {}],
    [" (If-Match)", { "If-Match": "*" }],
  ])("does not wait in a circle with PUT /admin/profiles/{id}%s", async (_how, headers) => {
    const { person, claims } = await claimed();
    const suspension = () =>
      outcomeOf(administrator.put(`/admin/profiles/${person.id}`, { is_approved: false }));
    expect(
      await whileHeld("claims", claims[0], [
        [1, erasure(person, headers)],
        [2, suspension],
      ]),
    ).toEqual(["200", "200"]);
  });

  it("does not wait in a circle with DELETE /exceptions/{id}", async () => {
    const [owner, claimer] = [await building.resident(), await building.resident()];
    const spots = [await spotOf(owner), await spotOf(owner)] as const;
    for (const spot of spots) await claimOf(claimer, await windowOf(owner, spot, 1, 5));
    const { exception } = await except(owner, "keep", spots[1], 10, 15);
    expect(
      await whileHeld("spots", spots[0], [
        [1, erasure(claimer)],
        [2, () => outcomeOf(owner.delete(`/exceptions/${exception.id}`))],
      ]),
    ).toEqual(["200", "200"]);
  });

  it("does not wait in a circle with what the only other administrator offers", async () => {
    const leaving = await building.administrator();
    const window = await windowOf(administrator, await spotOf(administrator), 1, 5);
    const claim = await claimOf(leaving, window);
    const move = () =>
      outcomeOf(administrator.put(`/availabilities/${window.id}`, { end_time: hours(6) }));
    expect(
      await whileHeld("claims", claim, [
        [1, erasure(leaving)],
        [2, move],
      ]),
    ).toEqual(["200", "200"]);
  });

  it.each([
    ["PUT /claims/{id}", 2, "400 Cannot change status from completed/cancelled"],
    ["an UPDATE", 0, "done"],
  ])("does not wait in a circle with the end of a claim: %s", async (how, waiting, outcome) => {
    const { person, claimer, claims } = await claimed();
    const { id } = claims[1];
    const ending = () =>
      how === "an UPDATE"
        ? outcomeOfSql(
            claimer.sql("update parking.claims set status = 'cancelled' where id = $1", [id]),
          )
        : outcomeOf(claimer.put(`/claims/${id}`, { status: "cancelled" }));
    expect(
      await whileHeld("claims", claims[0], [
        [1, erasure(person)],
        [waiting, ending],
      ]),
    ).toEqual(["200", outcome]);
  });

  it("does not wait in a circle with what notifies the person", async () => {
    const person = await building.resident();
    const notify = "select private.notify($1, 'profile.approved')";
    await building.rows(notify, [person.id]);
    await withTransactionOf(building.superuser, async (gate) => {
      const mine = "update parking.notifications set resolved_at = now() where recipient_id = $1";
      await gate.query(mine, [person.id]);
      const outcome = erasure(person)();
      await untilWaiting(building, 1);
      await gate.query(notify, [person.id]);
      await gate.query("commit");
      expect(await outcome).toBe("200");
    });
    const left = "select from parking.notifications where recipient_id = $1";
    expect(await building.rows(left, [person.id])).toEqual([]);
  });

  it("lets the person neither claim nor publish nor register any more", async () => {
    const { person, spot, claims } = await claimed();
    const owner = await building.resident();
    const window = await windowOf(owner, await spotOf(owner), 1, 5);
    const { start_time, end_time } = window;
    const late: Rival[] = [
      () => outcomeOf(person.post("/claims", { availability_id: window.id, start_time, end_time })),
      () =>
        outcomeOf(
          person.post("/availabilities", {
            spot_id: spot.id,
            start_time: hours(20),
            end_time: hours(22),
          }),
        ),
      () =>
        outcomeOf(
          person.post("/parking-spots", {
            spot_number: person.id.slice(0, 8),
            building_section: "N",
          }),
        ),
      () => outcomeOf(person.put(`/parking-spots/${spot.id}`, { building_section: "Of Quux" })),
    ];
    const outcomes = await whileHeld("claims", claims[0], [
      [1, erasure(person)],
      ...late.map((rival, i) => [i + 2, rival] as const),
    ]);
    expect(outcomes).toEqual(["200", ...late.map(() => "403 Account not approved")]);
  });
});
