import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { keepRest, layoutOf } from "../rules/rest.ts";
import { answerOf, refusal } from "../support/answers.ts";
import { type Claim, hours, offer, useBuilding, type Window } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { claim } from "./claiming.ts";

const building = useBuilding();
let other: Person;
beforeAll(async () => {
  other = await building.resident();
  const administrator = await building.administrator();
  await administrator.put("/admin/building", { rest_stays_on_offer: true }, 200);
});
afterEach(() => keepRest(building));

const windowsOf = async ({ spot_id }: Window) => {
  const list = `/availabilities?spot_id=${spot_id}`;
  return (await other.get<{ availabilities: readonly Window[]; total: number }>(list, 200)).body;
};
const claimed = async (claimer: Person, window: Window, from: number, to: number) =>
  (await claim(claimer, window, from, to)).body as { readonly claim: Claim };

describe("a claim of a part of a window, where the rest stays on offer", () => {
  it("leaves windows as any other, and they are counted", async () => {
    const { claimer, window } = await offer(building);
    const answer = await claim(claimer, window, 2, 3);
    expect(answer).toMatchObject({ status: 201, body: { claim: { availability_id: window.id } } });

    const { availabilities, total } = await windowsOf(window);
    expect(total).toBe(3);
    expect(availabilities.map(Object.keys)).toEqual(Array(3).fill(Object.keys(window)));
    expect(await layoutOf(building, window)).toBe("1-2 free, 2-3 claimed, 3-5 free");
  });

  it("takes what another, who looked at the same window, left", async () => {
    const { claimer, window } = await offer(building);
    await claim(claimer, window, 2, 3);
    const answer = await claim(other, window, 3, 4);
    expect(answer.status).toBe(201);
    expect(await layoutOf(building, window)).toBe("1-2 free, 2-3 claimed, 3-4 claimed, 4-5 free");
  });

  it("takes it also of a piece that became part of another window meanwhile", async () => {
    const { claimer, window } = await offer(building);
    const { claim: first } = await claimed(claimer, window, 2, 3);
    const piece = (await windowsOf(window)).availabilities[2] ?? window;
    await claimer.delete(`/claims/${first.id}`, 200);

    expect(answerOf(await other.get(`/availabilities/${piece.id}`))).toEqual(
      refusal(404, "Availability not found"),
    );
    expect(await claim(other, piece, 3, 4)).toMatchObject({
      status: 201,
      body: { claim: { availability_id: window.id } },
    });
  });

  it("is refused as ever for time that is not there", async () => {
    const { claimer, window } = await offer(building);
    await claim(claimer, window, 2, 3);
    const [left = window] = (await windowsOf(window)).availabilities;
    expect(answerOf(await claim(other, window, 2, 4))).toEqual(
      refusal(400, "This availability has already been claimed"),
    );
    expect(answerOf(await claim(other, left, 1, 3))).toEqual(
      refusal(400, "Claim times must be within the availability window"),
    );
  });

  it("is refused as ever where it ends before it begins", async () => {
    const { claimer, window } = await offer(building);
    await claim(claimer, window, 2, 3);
    await claim(claimer, window, 4, 5);
    const answer = await claim(other, window, 3.5, 1.5);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: "end_time must be after start_time" },
    });
  });

  it("is moved into the rest, and gives it back", async () => {
    const { claimer, window } = await offer(building);
    const { claim: mine } = await claimed(claimer, window, 2, 3);
    const answer = await claimer.put(`/claims/${mine.id}`, { end_time: hours(5) }, 200);
    expect(answer.body).toMatchObject({
      claim: { ...mine, end_time: hours(5), updated_at: expect.anything() },
    });
    expect(await layoutOf(building, window)).toBe("1-2 free, 2-5 claimed");

    await claimer.put(`/claims/${mine.id}`, { status: "cancelled" }, 200);
    expect((await windowsOf(window)).availabilities).toMatchObject([
      { id: window.id, start_time: hours(1), end_time: hours(5), is_claimed: false },
    ]);
  });
});
