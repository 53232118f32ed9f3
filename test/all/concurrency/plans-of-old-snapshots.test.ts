import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { expectConsistency } from "../../concurrency/consistency.ts";
import { connectionsFor } from "../../concurrency/rivals.ts";
import { type Statement, withOldSnapshotOf } from "../../concurrency/transaction.ts";
import { useArena } from "../../support/arena.ts";
import { type Spot, spotOf } from "../../support/building.ts";
import { except } from "../../support/exceptions.ts";
import { dayAfter, patternOf, setPatternDays, threeDays } from "../../support/patterns.ts";
import type { Person } from "../../support/person.ts";

const building = useArena(connectionsFor(3));
let owner: Person;
let spot: Spot;
beforeEach(async () => {
  await setPatternDays(building, 28);
  owner = await building.resident();
  spot = await spotOf(owner);
});
afterEach(() => expectConsistency(building));

const withOldSnapshot = (
  level: string,
  statement: Statement,
  meanwhile: () => Promise<unknown>,
): Promise<string> => withOldSnapshotOf(building, owner, level, statement, meanwhile);

/** In the second day of the pattern. */
const day = dayAfter(4);
const span = { start_time: `${day}T10:00:00Z`, end_time: `${day}T12:00:00Z` };
const keep = () => owner.post("/exceptions", { kind: "keep", spot_id: spot.id, ...span }, 201);
const keeping = (of: Spot | null = spot): Statement => [
  "select api.create_exception($1, $2, 'keep', $3)",
  [span.start_time, span.end_time, of?.id],
];
const create = () => patternOf(owner, threeDays(spot));

/** Whatever publishes windows of a plan: what was before, and how it does. */
const publications: readonly (readonly [
  name: string,
  prepare: () => Promise<Statement>,
  overRest: (id: unknown) => Promise<unknown>,
])[] = [
  [
    "a new pattern",
    async () => {
      const { spot_id, weekdays, starts_at, ends_at, first_day, last_day } = threeDays(spot);
      return [
        "select api.create_pattern($1, $2, $3, $4, $5, $6)",
        [spot_id, weekdays, starts_at, ends_at, first_day, last_day],
      ];
    },
    create,
  ],
  [
    "a changed pattern",
    async () => {
      const { id } = await patternOf(owner, { ...threeDays(spot), weekdays: ["MO"] });
      return ["select api.update_pattern($1, weekdays => $2)", [id, threeDays(spot).weekdays]];
    },
    (id) => owner.put(`/patterns/${id}`, { weekdays: threeDays(spot).weekdays }, 200),
  ],
  [
    "the job",
    async () => {
      await setPatternDays(building, 1);
      const { id } = await create();
      await setPatternDays(building, 28);
      // The job asks without a caller.
      return [
        `select private.extend_pattern($1, $2)
           from set_config('request.jwt.claims', '', true)`,
        [id, owner.id],
      ];
    },
    (id) => building.rows("select private.extend_pattern($1, $2)", [id, owner.id]),
  ],
  [
    "an exception that ends",
    async () => {
      await create();
      const { exception } = await except(owner, "keep", spot, 70, 150);
      return ["select api.delete_exception($1)", [exception.id]];
    },
    (id) => owner.delete(`/exceptions/${id}`, 200),
  ],
];

describe.each(["repeatable read", "serializable"])("%s", (level) => {
  it.each(publications)("%s does not offer what its owner has kept since", async (_, prepare) => {
    const publishing = await prepare();
    expect(await withOldSnapshot(level, publishing, keep)).toBe("40001");
    expect(await withOldSnapshot(level, publishing, async () => {})).toBe("done");
  });

  it.each(publications)(
    "an exception also covers what %s has offered since",
    async (_, prepare, overRest) => {
      const [, [id]] = await prepare();
      expect(await withOldSnapshot(level, keeping(), () => overRest(id))).toBe("40001");
      expect(await withOldSnapshot(level, keeping(), async () => {})).toBe("done");
    },
  );

  it("an absence from all spots also covers a spot registered since", async () => {
    const meanwhile = async () => {
      spot = await spotOf(owner);
      await create();
    };
    expect(await withOldSnapshot(level, keeping(null), meanwhile)).toBe("40001");
    expect(await withOldSnapshot(level, keeping(null), async () => {})).toBe("done");
  });
});
