import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { eventsOf } from "../support/rows.ts";

const building = useBuilding();
let administrator: Person;
let second: Person;
beforeAll(async () => {
  [administrator, second] = [await building.administrator(), await building.administrator()];
});
afterEach(() => building.rows("delete from parking.notifications"));

interface Profile {
  readonly is_approved: boolean;
  readonly rejection_reason?: string;
}
const change = async ({ id }: Person, body: object) =>
  (await administrator.put<{ profile: Profile }>(`/admin/profiles/${id}`, body, 200)).body.profile;
const own = async (person: Person) =>
  (await person.get<{ profile: Profile }>("/profile", 200)).body.profile;
const told = (id: string) =>
  building.rows<{ kind: string; message: string; data: object }>(
    "select kind, message, data from parking.notifications where recipient_id = $1 order by id",
    [id],
  );
const reason = "Nobody of this name lives in 1A";

describe("PUT /admin/profiles/{id} with rejection_reason", () => {
  it("is what the person reads in their profile, and nowhere else", async () => {
    const person = await building.unapproved();
    expect(await own(person)).not.toHaveProperty("rejection_reason");
    expect(await change(person, { rejection_reason: reason })).toMatchObject({
      is_approved: false,
      rejection_reason: reason,
    });
    expect((await own(person)).rejection_reason).toBe(reason);
    expect(answerOf(await person.get("/notifications"))).toEqual(
      refusal(403, "Account not approved"),
    );
  });

  it("is a notification, for the mail, and an event with the reason", async () => {
    const person = await building.unapproved();
    await change(person, { rejection_reason: reason });
    expect(await told(person.id)).toEqual([
      {
        kind: "profile.rejected",
        message: `Your account was not approved. Reason: ${reason}`,
        data: { reason },
      },
    ]);
    expect((await eventsOf(building, person.id)).at(-1)).toEqual({
      type: "profile.rejected",
      actor_id: administrator.id,
    });
  });
});

describe("a registration", () => {
  const register = async () => {
    const person = await building.newcomer();
    await person.post("/profile", { apartment_number: "1A" }, 201);
    return person;
  };
  const waiting = async () => {
    const [row] = await building.rows<{ count: number }>(
      "select count(*)::integer as count from private.waiting_people",
    );
    return row?.count;
  };

  it("is one notification for each administrator, which counts, however many register", async () => {
    await Promise.all(Array.from(Array(5), register));
    for (const { id } of [administrator, second])
      expect(await told(id)).toEqual([
        {
          kind: "profiles.waiting",
          message: "Somebody waits for approval",
          data: { count: await waiting() },
        },
      ]);
    const events = await building.rows(
      `select
         from private.events e
        where e.type = 'notification.created'
          and e.subject_id in (select n.id from parking.notifications n)`,
    );
    expect(events).toHaveLength(2);
  });

  it("is another one after the first was read", async () => {
    await register();
    await building.rows("update parking.notifications set is_read = true");
    await register();
    expect(await told(administrator.id)).toHaveLength(2);
  });

  it("is none where an invitation approves", async () => {
    const person = await building.newcomer();
    const invitation = { email: person.email, apartment_number: "2B" };
    await administrator.post("/admin/invitations", { invitations: [invitation] }, 201);
    await person.post("/profile", { apartment_number: "2B" }, 201);
    expect(await told(second.id)).toEqual([]);
  });
});
