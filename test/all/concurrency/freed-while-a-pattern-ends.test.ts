import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { expectConsistency } from "../../concurrency/consistency.ts";
import { connectionsFor } from "../../concurrency/rivals.ts";
import { withOldSnapshotOf, withTransaction } from "../../concurrency/transaction.ts";
import { useArena } from "../../support/arena.ts";
import { type Claim, claimOf, type Spot, spotOf, type Window } from "../../support/building.ts";
import { type Answered, offered, undo } from "../../support/exceptions.ts";
import { dayAfter, patternOf, setPatternDays, threeDays } from "../../support/patterns.ts";
import { type Person, requestJson } from "../../support/person.ts";

const building = useArena(connectionsFor(3));
let owner: Person;
let claimer: Person;
let spot: Spot;
beforeEach(async () => {
  await setPatternDays(building, 28);
  owner = await building.resident();
  claimer = await building.resident();
  spot = await spotOf(owner);
});
afterEach(() => expectConsistency(building));

const cancel = ({ id }: Claim) => claimer.put(`/claims/${id}`, { status: "cancelled" }, 200);
const onDay = (day: number) => ({
  start_time: `${dayAfter(day)}T00:00:00Z`,
  end_time: `${dayAfter(day + 1)}T00:00:00Z`,
});
const keep = async (day: number): Promise<Answered> =>
  (
    await owner.post<Answered>(
      "/exceptions",
      { kind: "keep", spot_id: spot.id, ...onDay(day) },
      201,
    )
  ).body;

interface Scene {
  readonly pattern: string;
  /** A claim of a time that the owner has kept since. */
  readonly claim: Claim;
  readonly kept: Answered;
  /** What the claim holds. */
  readonly window: Window;
}

/** A day that is on offer by hand, claimed, and kept since. */
async function claimedAndKept(day: number): Promise<Omit<Scene, "pattern">> {
  const times = { spot_id: spot.id, ...onDay(day) };
  const { body } = await owner.post<{ availability: Window }>("/availabilities", times, 201);
  const claim = await claimOf(claimer, body.availability);
  return { claim, kept: await keep(day), window: body.availability };
}

/** A window by hand beside the pattern. */
async function ofAnother(): Promise<Scene> {
  const { id } = await patternOf(owner, { ...threeDays(spot), last_day: dayAfter(3) });
  return { pattern: id, ...(await claimedAndKept(5)) };
}

/** The window of the pattern is withdrawn when it is freed. */
async function ofPattern(): Promise<Scene> {
  const { id } = await patternOf(owner, { ...threeDays(spot), last_day: dayAfter(3) });
  const [window] = await offered(claimer, spot);
  if (!window) throw new Error("no window");
  const claim = await claimOf(claimer, window);
  return { pattern: id, claim, kept: await keep(3), window };
}

const changes = [
  ["ended", "DELETE", undefined, "select api.delete_pattern($1)"],
  ["changed", "PUT", { ends_at: "20:00" }, "select api.update_pattern($1, ends_at => '20:00')"],
] as const;

describe.each(changes)(
  "a pattern that is %s while a claim frees a kept time",
  (_, method, body, sql) => {
    describe.each([
      ["of another window", ofAnother],
      ["of its own window", ofPattern],
    ] as const)("%s", (__, prepare) => {
      it.each(["repeatable read", "serializable"])("has all in one order: %s", async (level) => {
        const { pattern, claim } = await prepare();
        const freed = () => cancel(claim);
        const statement = [sql, [pattern]] as const;
        expect(await withOldSnapshotOf(building, owner, level, statement, freed)).toBe("40001");
      });

      it("has all in one order: If-Match", async () => {
        const { pattern, claim, kept, window } = await prepare();
        const { status, answer } = await withTransaction(building, claimer, async (ending) => {
          await ending.call("update_claim", { id: claim.id, status: "cancelled" });
          const change = requestJson<{ claimed_availability_ids?: readonly string[] }>(
            building.service.origin,
            method,
            `/api/patterns/${pattern}`,
            { token: owner.token, headers: { "If-Match": "*" }, ...(body && { body }) },
          );
          await ending.isWaitedFor();
          await ending.end("commit");
          const { status, body: answer } = await change;
          return { status, answer };
        });
        expect(status).toBe(200);
        expect(answer.claimed_availability_ids ?? []).toEqual([]);
        await undo(owner, kept);
        const ids = (await offered(claimer, spot)).map(({ id }) => id);
        expect(ids.includes(window.id)).toBe(prepare === ofAnother);
      });
    });
  },
);
