import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { claimOf, type Holding, holding, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";

interface Notification {
  readonly id: string;
  readonly is_read: boolean;
  readonly resolved_at: string | null;
  readonly data: object;
}

const building = useBuilding();
const administrator = building.shared("administrator");
let claimed: Holding;
beforeEach(async () => {
  claimed = await holding(building);
});

/** What a person is notified of, the first first. */
const listOf = async (person: Person) => {
  const { body } = await person.get<{ notifications: Notification[] }>("/notifications", 200);
  return body.notifications.toReversed();
};

describe("a notification", () => {
  it("has what its message is made of, as numbers and times", async () => {
    const { owner, claimer, claim, spot } = claimed;
    const reason = "Repairs";
    await administrator.put(`/admin/claims/${claim.id}`, { status: "cancelled", reason }, 200);
    const { start_time, end_time } = claim;
    const data = { spot_number: spot.spot_number, start_time, end_time };
    expect(await listOf(owner)).toMatchObject([
      { data: { ...data, is_owner: true }, resolved_at: expect.any(String) },
      { data: { ...data, is_owner: true, reason }, resolved_at: null },
    ]);
    expect((await listOf(claimer)).map((it) => it.data)).toEqual([{ ...data, reason }]);
  });

  it("names who claimed to the owner of the spot, and keeps the name when the claim is gone", async () => {
    const { owner, claimer, claim } = claimed;
    const full_name = "Ada Lovelace";
    await claimer.put("/profile", { full_name }, 200);
    const other = await claimOf(claimer, await windowOf(owner, claimed.spot, 30, 32));
    await claimer.delete(`/claims/${other.id}`, 200);
    await administrator.put(`/admin/claims/${claim.id}`, { status: "cancelled", reason: "R" }, 200);
    const names = async (person: Person) =>
      (await listOf(person)).map(({ data }) => "claimer_name" in data && data.claimer_name);
    expect(await names(owner)).toEqual([false, full_name, full_name, full_name]);
    expect(await names(claimer)).toEqual([false]);
  });

  it("is marked read and unread by its recipient, and is not there for others", async () => {
    const { owner, claimer } = claimed;
    const [notification] = await listOf(owner);
    const path = `/notifications/${notification?.id}`;
    for (const is_read of [true, false]) {
      const { body } = await owner.put(path, { is_read }, 200);
      expect(body).toEqual({
        notification: { ...notification, is_read, updated_at: expect.any(String) },
      });
      expect((await owner.get(path, 200)).body).toEqual(body);
    }
    const absent = refusal(404, "Notification not found");
    expect(answerOf(await owner.get(`/notifications/${randomUUID()}`))).toEqual(absent);
    for (const person of [claimer, administrator])
      expect(answerOf(await person.get(path))).toEqual(absent);
  });

  it("is marked with all others of its recipient by one request, and nobody else's", async () => {
    const { owner, claimer, spot } = claimed;
    await claimOf(claimer, await windowOf(owner, spot, 50, 52));
    const another = await holding(building);
    const mark = async (body: object) => (await owner.put("/notifications", body)).body;
    expect(await mark({ is_read: true })).toEqual({ marked: 2 });
    expect(await listOf(owner)).toMatchObject([{ is_read: true }, { is_read: true }]);
    expect(await listOf(another.owner)).toMatchObject([{ is_read: false }]);
    expect(await mark({ is_read: true })).toEqual({ marked: 0 });
    expect(await mark({ is_read: false })).toEqual({ marked: 2 });
    expect((await owner.put("/notifications", {})).status).toBe(400);
  });
});
