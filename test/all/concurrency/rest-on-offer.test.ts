import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { expectConsistency } from "../../concurrency/consistency.ts";
import { describeDuel, type Move, overRest } from "../../concurrency/duel.ts";
import { atOnce, connectionsFor, several } from "../../concurrency/rivals.ts";
import { keepRest, type Piece, piecesOf } from "../../rules/rest.ts";
import { useArena } from "../../support/arena.ts";
import { type Claim, hours, type Spot, spotOf, windowOf } from "../../support/building.ts";
import { effort } from "../../support/effort.ts";
import type { Person } from "../../support/person.ts";
import { random } from "../../support/random.ts";
import { expectOrderOfWindows } from "./ledger.ts";

const ROUNDS = effort(20, 500);
const RIVALS = 6;
const TAKEN = "400 This availability has already been claimed";
const OUTSIDE = "400 Claim times must be within the availability window";
const GONE = "404 Availability not found";

const building = useArena(connectionsFor(RIVALS));
let owner: Person;
let spot: Spot;
let residents: readonly Person[];
beforeAll(async () => {
  await keepRest(building);
  owner = await building.resident();
  spot = await spotOf(owner);
  residents = await several(RIVALS, () => building.resident());
});
afterEach(async () => {
  await expectConsistency(building);
  await expectOrderOfWindows(building);
});

const resident = (index: number): Person => residents[index] ?? owner;

let last = 0;
/** A window of ten hours that nobody else uses; `from` counts in it. */
async function freshWindow() {
  const base = last + 1;
  last += 20;
  const window = await windowOf(owner, spot, base, base + 10);
  const create = (index: number, from: number, to: number, { id } = window): Move => ({
    person: resident(index),
    operation: "create_claim",
    values: { availability_id: id, start_time: hours(base + from), end_time: hours(base + to) },
  });
  const claimed = async (index: number, from: number, to: number): Promise<Claim> => {
    const { body } = await resident(index).post<{ claim: Claim }>(
      "/claims",
      create(index, from, to).values,
      201,
    );
    return body.claim;
  };
  /** The free piece that begins at this hour. */
  const pieceFrom = async (from: number): Promise<Piece> => {
    const pieces = await piecesOf(building, window);
    const piece = pieces.find((it) => it.from === base + from);
    if (piece === undefined) throw new Error("there is no such piece");
    return piece;
  };
  return { base, window, create, claimed, pieceFrom };
}

const cancel = (index: number, { id }: Claim): Move => ({
  person: resident(index),
  operation: "update_claim",
  values: { id, status: "cancelled" },
});
const remove = (index: number, { id }: Claim): Move => ({
  person: resident(index),
  operation: "delete_claim",
  values: { id },
});
const shift = (index: number, { id }: Claim, end: number): Move => ({
  person: resident(index),
  operation: "update_claim",
  values: { id, end_time: hours(end) },
});
const complete = (index: number, { id }: Claim): Move => ({
  person: resident(index),
  operation: "update_claim",
  values: { id, status: "completed" },
});

describeDuel("two parts of one window claimed", () => building, {
  names: ["the one claim", "the other"],
  moves: async () => {
    const { create } = await freshWindow();
    return [create(0, 1, 3), create(1, 3, 6)];
  },
  first: ["201", "201"],
  after: ["201", "201"],
});

describeDuel("the same time of two pieces claimed", () => building, {
  names: ["the one claim", "the other"],
  moves: async () => {
    const { create } = await freshWindow();
    return [create(0, 1, 4), create(1, 3, 6)];
  },
  first: ["201", "201"],
  after: [TAKEN, TAKEN],
});

describeDuel("two claims side by side cancelled", () => building, {
  names: ["the one cancellation", "the other"],
  moves: async () => {
    const { claimed } = await freshWindow();
    return [cancel(0, await claimed(0, 1, 4)), cancel(1, await claimed(1, 4, 6))];
  },
  first: ["200", "200"],
  after: ["200", "200"],
});

describeDuel("a claim deleted while the rest beside it is claimed", () => building, {
  names: ["the deletion", "the claim"],
  moves: async () => {
    const { create, claimed, window, pieceFrom } = await freshWindow();
    const claim = await claimed(0, 1, 4);
    const rest = { ...window, id: (await pieceFrom(4)).id };
    return [remove(0, claim), create(1, 5, 8, rest)];
  },
  first: ["200", "201"],
  after: ["200", "201"],
});

describeDuel("two claims moved into the rest between them", () => building, {
  names: ["the first move", "the second"],
  moves: async () => {
    const { base, claimed } = await freshWindow();
    const [left, right] = [await claimed(0, 1, 3), await claimed(1, 5, 7)];
    return [
      shift(0, left, base + 5),
      {
        person: resident(1),
        operation: "update_claim",
        values: { id: right.id, start_time: hours(base + 4) },
      },
    ];
  },
  first: ["200", "200"],
  after: [OUTSIDE, OUTSIDE],
});

describeDuel("a piece moved by its owner while the claim beside it is cancelled", () => building, {
  names: ["the owner", "the cancellation"],
  moves: async () => {
    const { base, claimed, pieceFrom } = await freshWindow();
    const claim = await claimed(0, 0, 4);
    const { id } = await pieceFrom(4);
    const values = { id, end_time: hours(base + 9) };
    return [{ person: owner, operation: "update_availability", values }, cancel(0, claim)];
  },
  first: ["200", "200"],
  after: [GONE, "200"],
});

describeDuel("a piece withdrawn while another claims a part of it", () => building, {
  names: ["the owner", "the claim"],
  moves: async () => {
    const { create, claimed, pieceFrom, window } = await freshWindow();
    await claimed(0, 0, 4);
    const { id } = await pieceFrom(4);
    return [
      { person: owner, operation: "delete_availability", values: { id } },
      create(1, 5, 6, { ...window, id }),
    ];
  },
  first: ["200", "201"],
  after: ["400 Cannot delete a claimed availability", GONE],
});

describe("neighbours who claim, move, cancel, delete and complete at one moment", () => {
  it(`lose no minute of a window, and never wait in a circle, in ${ROUNDS} rounds`, async () => {
    const chance = random(ROUNDS);
    for (let round = 0; round < ROUNDS; round++) {
      const { base, create, claimed, window } = await freshWindow();
      const claims = [await claimed(0, 1, 3), await claimed(1, 3, 5), await claimed(2, 7, 9)];
      const changes = claims.map((claim, i) =>
        chance.pick([
          cancel(i, claim),
          remove(i, claim),
          shift(i, claim, base + 4 + chance.below(7)),
          complete(i, claim),
        ]),
      );
      const others = [3, 4, 5].map((i) => {
        const from = chance.below(9);
        return create(i, from, from + 1 + chance.below(3));
      });
      const headers = chance.pick([{}, { "If-Match": "*" }]);
      const outcomes = await atOnce(
        building,
        [...changes, ...others].map((move) => () => overRest(building, move, headers)),
      );

      expect(outcomes.filter((outcome) => !/^[24]/.test(outcome))).toEqual([]);
      const [offered] = await building.rows(
        `select sum(end_time - start_time) = interval '10 hours' as is_all
             from parking.availabilities
            where spot_id = $1 and start_time >= $2`,
        [spot.id, window.start_time],
      );
      expect(offered).toEqual({ is_all: true });
    }
  }, 600_000);
});
