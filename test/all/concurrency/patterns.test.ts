import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import { expectConsistency } from "../../concurrency/consistency.ts";
import { describeDuel, type Move } from "../../concurrency/duel.ts";
import {
  atOnce,
  connectionsFor,
  outcomeOf,
  outcomeOfSql,
  type Rival,
  tally,
} from "../../concurrency/rivals.ts";
import { useArena } from "../../support/arena.ts";
import {
  claimOf,
  hours,
  type Spot,
  spotOf,
  type Window,
  windowOf,
} from "../../support/building.ts";
import {
  dayAfter,
  type Pattern,
  patternOf,
  setPatternDays,
  setZone,
  threeDays,
  windowsOf,
} from "../../support/patterns.ts";
import type { Person } from "../../support/person.ts";
import { random } from "../../support/random.ts";

const ROUNDS = 5;
const NO_PATTERN = "404 Pattern not found";
const NO_WINDOW = "404 Availability not found";

const building = useArena(connectionsFor(20));
let owner: Person;
let claimer: Person;
beforeAll(async () => {
  owner = await building.resident();
  claimer = await building.resident();
});
afterEach(async () => {
  await expectConsistency(building);
  expect(await building.rows("select * from private.count_drifts")).toEqual([]);
});

interface Scene {
  readonly spot: Spot;
  readonly pattern: Pattern;
  readonly window: Window;
}

/** A pattern with one window. */
async function scene(): Promise<Scene> {
  const spot = await spotOf(owner);
  const pattern = await patternOf(owner, { ...threeDays(spot), last_day: dayAfter(3) });
  const [window] = await windowsOf(owner, spot);
  if (!window) throw new Error("no window");
  return { spot, pattern, window };
}

const claim = ({ window: { id, start_time, end_time } }: Scene): Move => ({
  person: claimer,
  operation: "create_claim",
  values: { availability_id: id, start_time, end_time },
});
const change = ({ pattern: { id } }: Scene, ends_at = "17:00"): Move => ({
  person: owner,
  operation: "update_pattern",
  values: { id, ends_at },
});
const end = ({ pattern: { id } }: Scene): Move => ({
  person: owner,
  operation: "delete_pattern",
  values: { id },
});

describeDuel("a pattern deleted while its window is claimed", () => building, {
  names: ["the deletion", "the claim"],
  moves: async () => {
    const all = await scene();
    return [end(all), claim(all)];
  },
  first: ["200", "201"],
  after: ["200", NO_WINDOW],
});

describeDuel("a pattern changed while its window is claimed", () => building, {
  names: ["the change", "the claim"],
  moves: async () => {
    const all = await scene();
    return [change(all), claim(all)];
  },
  first: ["200", "201"],
  after: ["200", NO_WINDOW],
});

describeDuel("a pattern changed twice", () => building, {
  names: ["one change", "the other"],
  moves: async () => {
    const all = await scene();
    return [change(all, "16:00"), change(all, "17:00")];
  },
  first: ["200", "200"],
  after: ["200", "200"],
});

describeDuel("a pattern changed while it is deleted", () => building, {
  names: ["the change", "the deletion"],
  moves: async () => {
    const all = await scene();
    return [change(all), end(all)];
  },
  first: ["200", "200"],
  after: [NO_PATTERN, "200"],
});

describeDuel("a pattern changed while its spot is deleted", () => building, {
  names: ["the change", "the deletion"],
  moves: async () => {
    const all = await scene();
    return [change(all), { person: owner, operation: "delete_spot", values: { id: all.spot.id } }];
  },
  first: ["200", "200"],
  after: [NO_PATTERN, "200"],
});

describeDuel("a pattern changed while its window is withdrawn by hand", () => building, {
  names: ["the change", "the withdrawal"],
  moves: async () => {
    const all = await scene();
    return [
      change(all),
      { person: owner, operation: "delete_availability", values: { id: all.window.id } },
    ];
  },
  first: ["200", "200"],
  after: ["200", NO_WINDOW],
});

/** One run of the job. */
const run: Rival = () =>
  outcomeOfSql(
    withClient(building.database.url("parking_api"), async (client) => {
      const { rows } = await client.query("select * from private.due_patterns()");
      for (const { id, owner_id } of rows)
        await client.query("select private.extend_pattern($1, $2)", [id, owner_id]);
    }),
  );

describe("the job, run by several at one moment", () => {
  it("publishes each day once, beside owners and claimers", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await setPatternDays(building, 5);
      const spots = [await spotOf(owner), await spotOf(owner), await spotOf(claimer)] as const;
      const forever = { first_day: dayAfter(2), last_day: null };
      const [first, second] = [
        await patternOf(owner, { ...threeDays(spots[0]), ...forever }),
        await patternOf(owner, { ...threeDays(spots[1]), ...forever }),
        await patternOf(claimer, { ...threeDays(spots[2]), ...forever }),
      ];
      const [window] = await windowsOf(owner, spots[0]);
      if (!window) throw new Error("no window");
      await setPatternDays(building, 20);
      await setZone(building, round % 2 === 0 ? "Europe/Berlin" : "UTC");

      const outcomes = await atOnce(building, [
        run,
        run,
        run,
        run,
        () => outcomeOf(owner.put(`/patterns/${first.id}`, { ends_at: "17:00" })),
        () => outcomeOf(owner.put(`/patterns/${second.id}`, { starts_at: "09:00" })),
        () =>
          outcomeOf(
            claimer.post("/claims", {
              availability_id: window.id,
              start_time: window.start_time,
              end_time: window.end_time,
            }),
          ),
      ]);

      expect(tally(outcomes.slice(0, 6))).toEqual({ done: 4, 200: 2 });
      expect(["201", NO_WINDOW]).toContain(outcomes[6]);
      expect(await building.rows("select * from private.due_patterns()")).toEqual([]);
      for (const spot of spots) expect((await windowsOf(owner, spot)).length).toBeGreaterThan(15);
    }
    await setPatternDays(building, 28);
    await setZone(building, "UTC");
  });
});

describe("patterns of one spot, made at one moment", () => {
  it("do not overlap, and do not wait in a circle with windows and claims", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const spot = await spotOf(owner);
      const single = await windowOf(owner, spot, 1, 3);
      const rivals = [
        ...["08:00", "10:00", "12:00", "14:00"].map(
          (starts_at): Rival =>
            () =>
              outcomeOf(owner.post("/patterns", { ...threeDays(spot), starts_at })),
        ),
        () =>
          outcomeOf(
            owner.post("/availabilities", {
              spot_id: spot.id,
              start_time: hours(100),
              end_time: hours(104),
            }),
          ),
        () => claimOf(claimer, single).then(() => "claimed"),
      ];
      const outcomes = tally(await atOnce(building, rivals));
      expect(outcomes).toMatchObject({ claimed: 1 });
      expect(outcomes["201"]).toBeGreaterThanOrEqual(4);
    }
  });
});

describe("a spot whose owner and neighbours do everything at once", () => {
  it("has consistent windows, claims and counts after each round, without a deadlock", async () => {
    const chance = random(Number(process.env.PATTERN_SEED ?? 17));
    const spot = await spotOf(owner);
    const dayOf = () => dayAfter(3 + chance.below(6));
    const hourOf = (from: number) => `${String(from + chance.below(8)).padStart(2, "0")}:00`;
    const spanOf = (day = dayOf()) => ({
      start_time: `${day}T${hourOf(0)}:00Z`,
      end_time: `${day}T${hourOf(12)}:00Z`,
    });
    const body = () => ({
      ...threeDays(spot),
      last_day: null,
      starts_at: hourOf(0),
      ends_at: hourOf(10),
    });
    type Listed<T> = { readonly patterns: T[]; readonly exceptions: T[]; readonly claims: T[] };
    const anyOf = async (person: Person, list: keyof Listed<unknown>) => {
      const { body } = await person.get<Listed<{ id: string }>>(`/${list}?spot_id=${spot.id}`, 200);
      return body[list].length > 0 ? chance.pick(body[list]).id : spot.id;
    };
    const moves: readonly ((person: Person) => Promise<Rival>)[] = [
      async () => () => outcomeOf(owner.post("/patterns", body())),
      async () => () => outcomeOf(owner.post("/patterns/preview", body())),
      async () => {
        const id = await anyOf(owner, "patterns");
        return () => outcomeOf(owner.put(`/patterns/${id}`, { ends_at: hourOf(10) }));
      },
      async () => {
        const id = await anyOf(owner, "patterns");
        return () => outcomeOf(owner.delete(`/patterns/${id}`));
      },
      async () => () =>
        outcomeOf(owner.post("/exceptions", { kind: "keep", spot_id: spot.id, ...spanOf() })),
      async () => {
        const id = await anyOf(owner, "exceptions");
        return () => outcomeOf(owner.delete(`/exceptions/${id}`));
      },
      async () => () => outcomeOf(owner.post("/availabilities", { spot_id: spot.id, ...spanOf() })),
      async (person) => {
        const free = (await windowsOf(owner, spot)).filter((it) => !it.is_claimed);
        if (free.length === 0) return run;
        const { id, start_time, end_time } = chance.pick(free);
        const times = { availability_id: id, start_time, end_time };
        return () => outcomeOf(person.post("/claims", times));
      },
      async (person) => {
        const id = await anyOf(person, "claims");
        return () => outcomeOf(person.put(`/claims/${id}`, { status: "cancelled" }));
      },
      async () => run,
    ];

    const people = [claimer, await building.resident()];
    for (let round = 0; round < 30; round++) {
      const rivals: Rival[] = [];
      for (let i = 0; i < 6; i++) rivals.push(await chance.pick(moves)(chance.pick(people)));
      const outcomes = await Promise.all(rivals.map((rival) => rival()));
      expect(outcomes.filter((it) => it.startsWith("5"))).toEqual([]);
      await expectConsistency(building);
    }
    await building.rows("delete from parking.patterns");
  });
});
