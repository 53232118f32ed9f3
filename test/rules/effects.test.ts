import { beforeAll, describe, expect, it } from "@jest/globals";
import {
  type Claim,
  claimOf,
  type Holding,
  holding,
  hours,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { isClaimed, stored } from "../support/rows.ts";
import { deleteClaim, insertClaim, moveClaim, type Statement, setStatus } from "./support.ts";

const building = useBuilding();
let stranger: Person;
let administrator: Person;
beforeAll(async () => {
  stranger = await building.resident();
  administrator = await building.administrator();
});

type Step = (held: Holding) => Promise<unknown>;

const cancel: Step = ({ claimer, claim }) => claimer.sql(...setStatus(claim, "cancelled"));
const complete: Step = ({ claimer, claim }) => claimer.sql(...setStatus(claim, "completed"));
const keepActive: Step = ({ claimer, claim }) => claimer.sql(...setStatus(claim, "active"));
const move: Step = ({ claimer, claim }) => claimer.sql(...moveClaim(claim, hours(2), hours(3)));
const deleteIt: Step = ({ claimer, claim }) => claimer.sql(...deleteClaim(claim));
const anotherClaims: Step = ({ window }) => stranger.sql(...insertClaim(window));
const anotherSets =
  (status: string): Step =>
  ({ window }) =>
    stranger.sql("update parking.claims set status = $2 where availability_id = $1", [
      window.id,
      status,
    ]);
const anotherCompletes = anotherSets("completed");
const anotherCancels = anotherSets("cancelled");
const anotherDeletes: Step = ({ window }) =>
  stranger.sql("delete from parking.claims where availability_id = $1", [window.id]);

describe("is_claimed of a window", () => {
  it.each<{ what: string; steps: Step[]; expected: boolean }>([
    { what: "a claim", steps: [], expected: true },
    { what: "its update that changes nothing", steps: [keepActive], expected: true },
    { what: "its move to a part of the window", steps: [move], expected: true },
    { what: "its completion", steps: [complete], expected: true },
    { what: "its cancellation", steps: [cancel], expected: false },
    { what: "its deletion", steps: [deleteIt], expected: false },
    { what: "its deletion once cancelled", steps: [cancel, deleteIt], expected: false },
    { what: "another claim", steps: [cancel, anotherClaims], expected: true },
    {
      what: "the deletion of a cancelled claim beside an active one",
      steps: [cancel, anotherClaims, deleteIt],
      expected: true,
    },
    {
      what: "the deletion of a cancelled claim beside a completed one",
      steps: [cancel, anotherClaims, anotherCompletes, deleteIt],
      expected: true,
    },
    {
      what: "another's cancellation",
      steps: [cancel, anotherClaims, anotherCancels],
      expected: false,
    },
    {
      what: "another's deletion beside a cancelled claim",
      steps: [cancel, anotherClaims, anotherDeletes],
      expected: false,
    },
  ])("is $expected after $what", async ({ steps, expected }) => {
    const held = await holding(building);
    const neighbour = await windowOf(held.owner, held.spot, 10, 11);

    for (const step of steps) await step(held);

    expect(await isClaimed(building, held.window.id)).toBe(expected);
    expect(await isClaimed(building, neighbour.id)).toBe(false);
  });
});

describe("a claim that gets another claimer or window", () => {
  const flags = async (...windows: readonly Window[]) =>
    Promise.all(windows.map(({ id }) => isClaimed(building, id)));
  const drifts = () => building.rows("select * from private.count_drifts");
  const pointTo = ({ id }: Claim, window: Window, more = ""): Statement => [
    `update parking.claims set availability_id = $2, spot_id = $3 ${more} where id = $1`,
    [id, window.id, window.spot_id],
  ];

  it.each(["active", "completed", "cancelled"])(
    "is counted for its claimer: %s",
    async (status) => {
      const { claimer, claim } = await holding(building);
      const other = await building.resident();
      await claimer.sql(...setStatus(claim, status));

      await building.rows("update parking.claims set claimer_id = $2 where id = $1", [
        claim.id,
        other.id,
      ]);

      expect(await drifts()).toEqual([]);
      expect((await other.get("/dashboard", 200)).body).toMatchObject({
        stats: { total_claims: 1 },
      });
    },
  );

  it.each([
    ["active", true],
    ["completed", true],
    ["cancelled", false],
  ])("frees its window and takes the other: %s", async (status, takes) => {
    const { owner, claimer, window, claim } = await holding(building);
    const other = await windowOf(owner, await spotOf(owner), 1, 5);
    await claimer.sql(...setStatus(claim, status));

    await building.rows(...pointTo(claim, other));
    expect(await flags(window, other)).toEqual([false, takes]);
    await building.rows(...pointTo(claim, window));
    expect(await flags(window, other)).toEqual([takes, false]);
    expect(await drifts()).toEqual([]);
  });

  it("frees the window that it leaves where it is cancelled at once", async () => {
    const { owner, window, claim } = await holding(building);
    const other = await windowOf(owner, await spotOf(owner), 1, 5);
    await building.rows(...pointTo(claim, other, ", status = 'cancelled'"));
    expect(await flags(window, other)).toEqual([false, false]);
    expect(await drifts()).toEqual([]);
  });
});

describe("a deletion", () => {
  const rowsOf = (table: string, column: string, id: string) =>
    building.rows(`select from parking.${table} where ${column} = $1`, [id]);

  it("of a spot keeps its closed claims, with the windows that they hold, and the notifications", async () => {
    const held = await holding(building);
    await complete(held);
    const cancelled = await claimOf(stranger, await windowOf(held.owner, held.spot, 10, 11));
    await stranger.sql(...setStatus(cancelled, "cancelled"));

    await held.owner.sql("delete from parking.spots where id = $1", [held.spot.id]);

    expect(await rowsOf("availabilities", "spot_id", held.spot.id)).toHaveLength(1);
    expect(await rowsOf("claims", "spot_id", held.spot.id)).toHaveLength(2);
    // Of two claims made, one completed, one cancelled; and of the deletion, to the claimer.
    expect(await rowsOf("notifications", "spot_id", held.spot.id)).toHaveLength(5);
  });

  it("of a window keeps its cancelled claims, which say of which it was", async () => {
    const held = await holding(building);
    await cancel(held);
    const kept = await claimOf(stranger, await windowOf(held.owner, held.spot, 10, 11));

    await held.owner.sql("delete from parking.availabilities where id = $1", [held.window.id]);

    expect(await stored(building, "claims", held.claim.id)).toMatchObject({
      status: "cancelled",
      availability_id: held.window.id,
    });
    expect(await stored(building, "claims", kept.id)).toMatchObject({ status: "active" });
  });

  it("of a claim deletes nothing else", async () => {
    const held = await holding(building);
    await deleteIt(held);
    expect(await stored(building, "availabilities", held.window.id)).toBeDefined();
    expect(await stored(building, "spots", held.spot.id)).toBeDefined();
  });
});

describe("is_verified of a spot", () => {
  async function verifiedSpotOf(owner: Person) {
    const spot = await spotOf(owner);
    await administrator.sql("update parking.spots set is_verified = true where id = $1", [spot.id]);
    return spot;
  }

  it.each([
    { change: "spot_number = 'A1'", expected: false },
    { change: "building_section = 'South'", expected: false },
    { change: "building_section = 'south', is_verified = true", expected: false },
    { change: "building_section = building_section", expected: true },
  ])("is $expected once the owner sets $change", async ({ change, expected }) => {
    const owner = await building.resident();
    const spot = await verifiedSpotOf(owner);
    const other = await verifiedSpotOf(owner);

    await owner.sql(`update parking.spots set ${change} where id = $1`, [spot.id]);

    expect(await stored(building, "spots", spot.id)).toMatchObject({ is_verified: expected });
    expect(await stored(building, "spots", other.id)).toMatchObject({ is_verified: true });
  });

  it("is false after a change, even if an administrator who owns the spot sets it", async () => {
    const spot = await verifiedSpotOf(administrator);
    await administrator.sql(
      "update parking.spots set spot_number = 'A2', is_verified = true where id = $1",
      [spot.id],
    );
    expect(await stored(building, "spots", spot.id)).toMatchObject({ is_verified: false });
  });
});
