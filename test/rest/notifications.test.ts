import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { answerOf, formatsOf, refusal } from "../support/answers.ts";
import {
  type Claim,
  claimOf,
  type Spot,
  spotOf,
  useBuilding,
  windowOf,
} from "../support/building.ts";
import type { Person } from "../support/person.ts";

interface Notification {
  readonly id: string;
  readonly kind: string;
  readonly message: string;
  readonly claim_id: string | null;
  readonly availability_id: string | null;
  readonly spot_id: string | null;
  readonly is_read: boolean;
  readonly resolved_at: string | null;
  readonly data?: Readonly<Record<string, unknown>>;
}
interface Notifications {
  readonly notifications: readonly Notification[];
  readonly total: number;
}

const building = useBuilding();
let administrator: Person;
let owner: Person;
let claimer: Person;
let spot: Spot;
let claim: Claim;
beforeAll(async () => {
  administrator = await building.administrator();
});

beforeEach(async () => {
  owner = await building.resident();
  claimer = await building.resident();
  spot = await spotOf(owner);
  claim = await claimOf(claimer, await windowOf(owner, spot));
});

const listOf = async (person: Person): Promise<Notifications> =>
  (await person.get<Notifications>("/notifications", 200)).body;

const onlyOneOf = async (person: Person): Promise<Notification> => {
  const { notifications, total } = await listOf(person);
  expect(total).toBe(1);
  const [notification] = notifications;
  if (notification === undefined) throw new Error("there is none");
  return notification;
};

const stored = async ({ id }: Notification) => {
  const [notification] = await building.rows(
    "select is_read, updated_at from parking.notifications where id = $1",
    [id],
  );
  return notification;
};

describe("a notification about a claim", () => {
  it("has what its message is made of, as numbers and times", async () => {
    const reason = "Repairs";
    await administrator.put(`/admin/claims/${claim.id}`, { status: "cancelled", reason }, 200);
    const { spot_number } = spot;
    const { start_time, end_time } = claim;
    const dataOf = async (person: Person) =>
      (await listOf(person)).notifications.map(({ data }) => data).toReversed();

    const toOwner = { spot_number, is_owner: true, start_time, end_time };
    expect(await dataOf(owner)).toEqual([toOwner, { ...toOwner, reason }]);
    expect(await dataOf(claimer)).toEqual([{ spot_number, start_time, end_time, reason }]);
  });

  it("says when it was resolved", async () => {
    await claimer.delete(`/claims/${claim.id}`, 200);

    const { notifications } = await listOf(owner);
    const submitted = notifications.find(({ kind }) => kind === "claim.submitted");

    expect(submitted && formatsOf(submitted)).toMatchObject({ resolved_at: "time" });
  });
});

describe("GET /notifications/{id}", () => {
  it("answers 404 to all others, as for an unknown id", async () => {
    const { id } = await onlyOneOf(owner);

    for (const answer of [
      await claimer.get(`/notifications/${id}`),
      await administrator.get(`/notifications/${id}`),
      await owner.get(`/notifications/${randomUUID()}`),
    ]) {
      expect(answerOf(answer)).toEqual(refusal(404, "Notification not found"));
    }
  });
});

describe("PUT /notifications/{id}", () => {
  it("marks a notification read, and unread again", async () => {
    const notification = await onlyOneOf(owner);

    for (const is_read of [true, false]) {
      const answer = await owner.put<{ notification: Notification }>(
        `/notifications/${notification.id}`,
        { is_read },
        200,
      );
      expect(answer.body).toEqual({
        notification: { ...notification, is_read, updated_at: expect.any(String) },
      });
      expect(await stored(notification)).toMatchObject({ is_read });
    }
  });
});

describe("all notifications of a person", () => {
  const markAll = (person: Person, is_read: boolean) =>
    person.put<{ marked: number }>("/notifications", { is_read }, 200);
  const readOf = async (person: Person) =>
    (await listOf(person)).notifications.map(({ is_read }) => is_read);

  it("are marked by one request, and nobody else's", async () => {
    await claimOf(claimer, await windowOf(owner, spot, 50, 52));
    const others = await building.resident();
    await claimOf(claimer, await windowOf(others, await spotOf(others)));

    expect((await markAll(owner, true)).body).toEqual({ marked: 2 });
    expect(await readOf(owner)).toEqual([true, true]);
    expect(await readOf(others)).toEqual([false]);
    expect((await markAll(owner, true)).body).toEqual({ marked: 0 });
    expect((await markAll(owner, false)).body).toEqual({ marked: 2 });
  });

  it("stay as they are where nothing is said, or by who is not approved", async () => {
    expect((await owner.put("/notifications", {})).status).toBe(400);
    const waiting = await building.unapproved();
    expect((await waiting.put("/notifications", { is_read: true })).status).toBe(403);
  });
});
