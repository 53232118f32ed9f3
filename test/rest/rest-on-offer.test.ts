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

interface Shown extends Window {
  readonly free?: readonly { readonly start_time: string; readonly end_time: string }[];
}
const shown = async ({ spot_id }: Window) => {
  const list = `/availabilities?spot_id=${spot_id}`;
  return (await other.get<{ availabilities: readonly Shown[]; total: number }>(list, 200)).body;
};
const claimed = async (claimer: Person, window: Window, from: number, to: number) =>
  (await claim(claimer, window, from, to)).body as { readonly claim: Claim };
const span = (from: number, to: number) => ({ start_time: hours(from), end_time: hours(to) });

describe("a claim of a part of a window, where the rest stays on offer", () => {
  it("is of the window that was asked for, which says what of it is free", async () => {
    const { claimer, window } = await offer(building);
    const answer = await claim(claimer, window, 2, 3);
    expect(answer).toMatchObject({ status: 201, body: { claim: { availability_id: window.id } } });
    expect(await shown(window)).toEqual({
      availabilities: [
        { ...window, updated_at: expect.anything(), free: [span(1, 2), span(3, 5)] },
      ],
      total: 1,
    });

    await claim(other, window, 3, 5);
    await claim(other, window, 1, 2);
    const [whole] = (await shown(window)).availabilities;
    expect(whole).toEqual({ ...window, is_claimed: true, updated_at: expect.anything() });
  });

  it("is found where all of a time is free in one part", async () => {
    const { claimer, window } = await offer(building);
    await claim(claimer, window, 2, 3);
    const found = async (from: number, to: number) => {
      const time = `free_from=${hours(from)}&free_until=${hours(to)}`;
      const list = `/availabilities?spot_id=${window.spot_id}&${time}`;
      return (await other.get<{ total: number }>(list, 200)).body.total;
    };
    expect([await found(1, 2), await found(3, 5), await found(1, 4), await found(2, 3)]).toEqual([
      1, 1, 0, 0,
    ]);
  });

  it("takes what another, who looked at the same window, left", async () => {
    const { claimer, window } = await offer(building);
    await claim(claimer, window, 2, 3);
    const answer = await claim(other, window, 3, 4);
    expect(answer.status).toBe(201);
    expect(await layoutOf(building, window)).toBe("1-2 free, 2-3 claimed, 3-4 claimed, 4-5 free");
  });

  it("is refused as ever for time that is not there", async () => {
    const { claimer, window } = await offer(building);
    await claim(claimer, window, 2, 3);
    expect(answerOf(await claim(other, window, 2, 4))).toEqual(
      refusal(400, "This availability has already been claimed"),
    );
    expect(answerOf(await claim(other, window, 4, 6))).toEqual(
      refusal(400, "Claim times must be within the availability window"),
    );
    expect(answerOf(await claim(other, window, 4.5, 3.5))).toMatchObject({
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
    expect((await shown(window)).availabilities).toEqual([
      { ...window, updated_at: expect.anything() },
    ]);
  });
});
