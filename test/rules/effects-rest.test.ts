import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { contradictions } from "../concurrency/consistency.ts";
import {
  type Claim,
  hours,
  type Offer,
  offer,
  useBuilding,
  windowOf,
} from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdateStart, eventsOf, stored } from "../support/rows.ts";
import { claimPart, keepRest, layoutOf, piecesOf } from "./rest.ts";
import { deleteClaim, moveClaim, setStatus } from "./support.ts";

const building = useBuilding();
let other: Person;
beforeAll(async () => {
  await keepRest(building);
  other = await building.resident();
});
afterEach(async () => {
  expect(await building.rows(contradictions)).toEqual([]);
  expect(await building.rows("table private.count_drifts")).toEqual([]);
});

/** Makes what has begun. The counts of days follow. */
async function begun({ window }: Offer, from: number): Promise<void> {
  await backdateStart(building, window, hours(from));
  await building.rows("select private.recount()");
}

/** What a person was notified of, oldest first. */
const notifications = async ({ id }: Person) => {
  const of = "select kind from parking.notifications where recipient_id = $1 order by id";
  return (await building.rows<{ kind: string }>(of, [id])).map(({ kind }) => kind);
};

const eventTypes = async (id: string) => (await eventsOf(building, id)).map(({ type }) => type);

describe("a claim of a part of a window", () => {
  it("cuts the window to its times, and puts the rest on offer as it was offered", async () => {
    const offered = await offer(building);
    const { owner, claimer, window } = offered;
    const claim = await claimPart(claimer, window, 2, 3);

    const pieces = await piecesOf(building, window);
    expect(pieces).toMatchObject([
      { from: 1, to: 2, claimed: false },
      { id: window.id, from: 2, to: 3, claimed: true },
      { from: 3, to: 5, claimed: false },
    ]);
    expect(claim.availability_id).toBe(window.id);
    const kept = "select distinct part_of is null as whole, owner_id, created_at";
    expect(
      await building.rows(`${kept} from parking.availabilities where spot_id = $1`, [
        window.spot_id,
      ]),
    ).toEqual([{ whole: false, owner_id: owner.id, created_at: expect.anything() }]);
    expect(await eventTypes(window.id)).toEqual(["availability.created", "availability.updated"]);
    expect(await eventsOf(building, pieces[2]?.id ?? "")).toEqual([
      { type: "availability.created", actor_id: claimer.id },
    ]);
    expect(await notifications(owner)).toEqual(["claim.submitted"]);
  });

  it("leaves the window as it is where the building does not want that", async () => {
    await keepRest(building, false);
    const { claimer, window } = await offer(building);
    const claim = await claimPart(claimer, window, 2, 3);
    expect(await layoutOf(building, window)).toBe("1-5 claimed");
    await claimer.sql(...moveClaim(claim, hours(2), hours(4)));
    await claimer.sql(...setStatus(claim, "completed"));
    expect(await layoutOf(building, window)).toBe("1-5 claimed");
    await keepRest(building);
  });

  it("leaves a window that it takes whole without an origin", async () => {
    const { claimer, window } = await offer(building);
    await claimPart(claimer, window, 1, 5);
    expect(await stored(building, "availabilities", window.id)).toMatchObject({ part_of: null });
  });

  it("leaves the beginning of a window that has begun on offer too", async () => {
    const offered = await offer(building);
    await begun(offered, -2);
    const claim = await claimPart(offered.claimer, offered.window, 2, 3);
    expect(await layoutOf(building, offered.window)).toBe("-2-2 free, 2-3 claimed, 3-5 free");

    await offered.claimer.sql(...setStatus(claim, "cancelled"));
    expect(await layoutOf(building, offered.window)).toBe("-2-5 free");
  });

  it.each([
    ["has the part that was asked for", 3, 5],
    ["has more than that", 4, 5],
  ])("takes the piece that %s, where another has cut the window", async (_case, from, to) => {
    const { claimer, window } = await offer(building);
    await claimPart(claimer, window, 1, 3);
    const { availability_id: piece } = await claimPart(other, window, from, to);
    expect(piece).not.toBe(window.id);
    expect(await stored(building, "availabilities", piece)).toMatchObject({ is_claimed: true });
  });

  it.each([
    ["that another has", 2, 4, "claims_one_per_availability"],
    ["on both sides of another's claim", 1, 5, "claims_one_per_availability"],
  ])("is refused for time %s", async (_case, from, to, rule) => {
    const { claimer, window } = await offer(building);
    await claimPart(claimer, window, 2, 3);
    await expect(claimPart(other, window, from, to)).rejects.toMatchObject({ constraint: rule });
    expect(await layoutOf(building, window)).toBe("1-2 free, 2-3 claimed, 3-5 free");
  });
});

type GiveBack = (claimer: Person, claim: Claim) => Promise<unknown>;
const cancel: GiveBack = (claimer, claim) => claimer.sql(...setStatus(claim, "cancelled"));
const remove: GiveBack = (claimer, claim) => claimer.sql(...deleteClaim(claim));

describe("time that is given back", () => {
  it.each([
    ["cancelled", cancel],
    ["deleted", remove],
  ])("is one window again with what is free beside it: a claim is %s", async (_how, giveBack) => {
    const { owner, claimer, window } = await offer(building);
    const claim = await claimPart(claimer, window, 2, 3);
    const pieces = await piecesOf(building, window);

    await giveBack(claimer, claim);

    expect(await piecesOf(building, window)).toEqual([
      { id: window.id, from: 1, to: 5, claimed: false },
    ]);
    for (const { id } of pieces.filter(({ claimed }) => !claimed)) {
      expect(await eventTypes(id)).toEqual(["availability.created", "availability.joined"]);
    }
    expect(await notifications(owner)).toEqual([
      "claim.submitted",
      giveBack === cancel ? "claim.cancelled" : "claim.deleted",
    ]);
  });

  it("keeps the cancelled claims of the pieces, of which nobody is notified again", async () => {
    const { owner, claimer, window } = await offer(building);
    const first = await claimPart(claimer, window, 1, 3);
    const second = await claimPart(other, window, 3, 4);
    await cancel(other, second);
    await cancel(claimer, first);

    expect(await layoutOf(building, window)).toBe("1-5 free");
    expect(await stored(building, "claims", second.id)).toMatchObject({
      availability_id: first.availability_id,
      status: "cancelled",
      updated_at: expect.anything(),
    });
    expect(await eventTypes(second.id)).toEqual(["claim.submitted", "claim.cancelled"]);
    expect(await notifications(owner)).toHaveLength(4);
    await remove(other, second);
  });

  it("is told of as it was by an administrator, and nothing else is", async () => {
    const administrator = await building.administrator();
    const { owner, claimer, window } = await offer(building);
    const { id } = await claimPart(claimer, window, 2, 3);
    await administrator.sql("select api.cancel_claim($1, 'cancelled', 'a reason')", [id]);

    expect(await layoutOf(building, window)).toBe("1-5 free");
    expect(await notifications(owner)).toEqual(["claim.submitted", "claim.cancelled"]);
  });

  it("is joined by no more than what was one window with it", async () => {
    const { owner, claimer, spot, window } = await offer(building);
    await windowOf(owner, spot, 5, 7);
    const claim = await claimPart(claimer, window, 2, 5);
    await cancel(claimer, claim);
    expect(await layoutOf(building, window)).toBe("1-5 free, 5-7 free");
  });

  it("is not joined by what another has, nor over a gap", async () => {
    const { owner, claimer, window } = await offer(building);
    const claim = await claimPart(claimer, window, 2, 3);
    await claimPart(other, window, 3, 4);
    const [left] = await piecesOf(building, window);
    await owner.sql("delete from parking.availabilities where id = $1", [left?.id]);
    await cancel(claimer, claim);
    expect(await layoutOf(building, window)).toBe("2-3 free, 3-4 claimed, 4-5 free");
  });

  it("is joined also where the building wants no rests any more", async () => {
    const { claimer, window } = await offer(building);
    const claim = await claimPart(claimer, window, 2, 3);
    await keepRest(building, false);
    await cancel(claimer, claim);
    await keepRest(building);
    expect(await layoutOf(building, window)).toBe("1-5 free");
  });

  it("is joined for several claims that one statement closes", async () => {
    const { claimer, window } = await offer(building);
    for (const from of [1, 2, 3, 4]) await claimPart(claimer, window, from, from + 1);
    await claimer.sql("delete from parking.claims where spot_id = $1 and start_time < $2", [
      window.spot_id,
      hours(4),
    ]);
    expect(await layoutOf(building, window)).toBe("1-4 free, 4-5 claimed");
    await claimer.sql("update parking.claims set status = 'cancelled' where spot_id = $1", [
      window.spot_id,
    ]);
    expect(await layoutOf(building, window)).toBe("1-5 free");
  });
});

describe("private.piece_for", () => {
  const pieceFor = async (person: Person, id: string, from: number, to: number) => {
    const { rows } = await person.sql<{ id: string }>(
      "select private.piece_for($1, $2, $3) as id",
      [id, hours(from), hours(to)],
    );
    return rows[0]?.id;
  };

  it("finds what a piece became that is gone, also after several joins", async () => {
    const { claimer, window } = await offer(building);
    const first = await claimPart(claimer, window, 1, 2);
    const [, gone] = await piecesOf(building, window);
    const id = gone?.id ?? "";
    await cancel(claimer, first);
    expect(await pieceFor(other, id, 2, 3)).toBe(window.id);

    const second = await claimPart(claimer, window, 4, 5);
    await claimPart(claimer, window, 1, 2);
    await cancel(claimer, second);
    const [, now] = await piecesOf(building, window);
    expect(await pieceFor(other, id, 3, 5)).toBe(now?.id);
  });

  it("tells nothing to a person who is not approved", async () => {
    const { claimer, window } = await offer(building);
    await claimPart(claimer, window, 1, 2);
    expect(await pieceFor(await building.unapproved(), window.id, 2, 3)).toBe(window.id);
    expect(await pieceFor(other, window.id, 2, 3)).not.toBe(window.id);
  });

  it("finds nothing else", async () => {
    const { owner, claimer, window, spot } = await offer(building);
    await windowOf(owner, spot, 5, 7);
    await claimPart(claimer, window, 2, 3);
    for (const [from = 0, to = 0] of [
      [1, 3],
      [2, 3],
      [4, 6],
      [5, 6],
      [9, 10],
    ]) {
      expect(await pieceFor(other, window.id, from, to)).toBe(window.id);
    }
    expect(await pieceFor(other, spot.id, 1, 2)).toBe(spot.id);
  });
});
