import { afterEach, beforeAll, expect, it } from "@jest/globals";
import { expectConsistency } from "../../concurrency/consistency.ts";
import { atOnce, connectionsFor, type Rival, several, tally } from "../../concurrency/rivals.ts";
import { useArena } from "../../support/arena.ts";
import { type Claim, claimOf, spotOf, type Window, windowOf } from "../../support/building.ts";
import { setLimits } from "../../support/limits.ts";
import type { Person } from "../../support/person.ts";
import { passMinutes, readWish, tell, type Wish, wishOf } from "../../support/wishes.ts";

const ROUNDS = Number(process.env.RIVAL_ROUNDS ?? 10);
const EACH = 30;
const FROM = 40;
const WAIT = "409 claims_wait_for_offers";
const TAKEN = "400 claims_one_per_availability";

const building = useArena(connectionsFor(14));
const administrator = building.shared("administrator");
let owner: Person;
/** Nobody who waits. */
let outsider: Person;
let first: Person;
let second: Person;
beforeAll(async () => {
  const people = await several(4, () => building.resident());
  [owner, outsider, first, second] = people as [Person, Person, Person, Person];
});
afterEach(async () => {
  await expectConsistency(building);
  for (const table of ["claims", "spots"]) await building.rows(`delete from parking.${table}`);
});

/** Declares that this holds in each of many rounds, of which each begins without wishes. */
const itHolds = (sentence: string, round: () => Promise<void>, rounds = ROUNDS) =>
  it(
    sentence,
    async () => {
      for (let i = 0; i < rounds; i++) {
        await setLimits(building, { offer_minutes: EACH });
        await round();
        await building.rows("delete from parking.wishes");
      }
    },
    60_000 + ROUNDS * 3_000,
  );

const window = async () => windowOf(owner, await spotOf(owner), FROM, FROM + 8);
/** One whose offers those who wait have been told of. */
const offered = async () => {
  const free = await window();
  await tell(building);
  return free;
};
const wish = (person: Person) => wishOf(person, FROM + 1, FROM + 2);

/** How a request ended: its status, and the rule if one refused it. */
const codeOf = async (request: ReturnType<Person["get"]>): Promise<string> => {
  const { status, headers } = await request;
  return status < 400 ? String(status) : `${status} ${headers.get("X-Error-Code")}`;
};
const claims =
  (person: Person, { id, start_time, end_time }: Window): Rival =>
  () =>
    codeOf(person.post("/claims", { availability_id: id, start_time, end_time }));
const cancels =
  (person: Person, { id }: Claim): Rival =>
  () =>
    codeOf(person.put(`/claims/${id}`, { status: "cancelled" }));
const withdraws =
  (person: Person, { id }: Wish): Rival =>
  () =>
    codeOf(person.delete(`/wishes/${id}`));
/** The job, as each process runs it. */
const tells: Rival = async () => {
  await tell(building);
  return "200";
};
/** Time that passes comes to the gate too. */
const passes: Rival = async () => {
  await building.rows("select from parking.profiles");
  await passMinutes(building, EACH);
  return "200";
};

itHolds("two windows that become free at one moment are offered to the two who wait", async () => {
  const windows = [await window(), await window()] as const;
  const held = await several(2, async (i) => claimOf(outsider, windows[i] ?? windows[0]));
  const wishes = [await wish(first), await wish(second)] as const;
  await atOnce(building, [...held.map((claim) => cancels(outsider, claim)), tells]);
  await tell(building);
  const offers = [await readWish(first, wishes[0]), await readWish(second, wishes[1])];
  expect(offers.map((it) => it.availability_id).toSorted()).toEqual(
    windows.map(({ id }) => id).toSorted(),
  );
  for (const { offered_from = "" } of offers)
    expect(Date.parse(offered_from)).toBeLessThanOrEqual(Date.now() + 1_000);
});

itHolds(
  "a window that becomes free is theirs who wait, not another's who asks just then",
  async () => {
    const free = await window();
    const claim = await claimOf(outsider, free);
    await wish(first);
    const rivals = [cancels(outsider, claim), tells, claims(second, free)];
    const [cancelled, notified, other] = await atOnce(building, rivals);
    expect([cancelled, notified]).toEqual(["200", "200"]);
    expect([WAIT, TAKEN]).toContain(other);
    expect(await claims(second, free)()).toBe(WAIT);
    expect(await claims(first, free)()).toBe("201");
  },
);

itHolds("an offer that ends goes to its holder or to the next, and to nobody else", async () => {
  await wish(first);
  await wish(second);
  const free = await offered();
  const rivals = [passes, claims(outsider, free), claims(first, free), claims(second, free)];
  const [passed, outside, ...inside] = await atOnce(building, rivals);
  expect(passed).toBe("200");
  expect([WAIT, TAKEN]).toContain(outside);
  expect(tally(inside)["201"] ?? 0).toBeLessThanOrEqual(1);
  for (const outcome of inside) expect(["201", WAIT, TAKEN]).toContain(outcome);
});

itHolds("an offer is over for all at once when the setting is taken back", async () => {
  await wish(first);
  const free = await offered();
  const [changed, ...claimed] = await atOnce(building, [
    () => codeOf(administrator.put("/admin/building", { offer_minutes: null })),
    claims(first, free),
    claims(outsider, free),
  ]);
  expect([changed, tally(claimed)["201"]]).toEqual(["200", 1]);
});

itHolds(
  "who waits and withdraws has the window or not, and the next has it in the end",
  async () => {
    const one = await wish(first);
    await wish(second);
    const free = await offered();
    const rivals = [withdraws(first, one), claims(first, free), claims(second, free)];
    const [withdrawn, ...claimed] = await atOnce(building, rivals);
    expect(withdrawn).toBe("200");
    if (!claimed.includes("201")) expect(await claims(second, free)()).toBe("201");
  },
);

itHolds(
  "who waits is told nothing any more once erased",
  async () => {
    const leaving = await building.resident();
    const claim = await claimOf(outsider, await window());
    await wish(leaving);
    await wish(second);
    const outcomes = await atOnce(building, [
      () => codeOf(administrator.delete(`/admin/profiles/${leaving.id}?reason=Left`)),
      cancels(outsider, claim),
      tells,
    ]);
    expect(outcomes).toEqual(["200", "200", "200"]);
    await tell(building);
    const left = `select from parking.notifications where recipient_id = $1
                  union all select from parking.wishes where wisher_id = $1`;
    expect(await building.rows(left, [leaving.id])).toEqual([]);
  },
  Math.ceil(ROUNDS / 3),
);
