import { describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { claimOf, holding, spotOf, useBuilding, windowOf } from "../support/building.ts";
import { postWithKey } from "../support/keyed.ts";
import type { Person } from "../support/person.ts";
import { suspend, writePastRules } from "../support/rows.ts";
import { until } from "../support/waiting.ts";

type Record = Readonly<{ [name: string]: unknown }>;
type Export = Readonly<{ [member: string]: readonly Record[] }>;

const building = useBuilding({ rateLimits: { perMinute: 0, perHour: 0 } });
const administrator = building.shared("administrator");

const exported = async (person: Person): Promise<Export> =>
  (await person.get<Export>("/profile/export", 200)).body;

/** The events about one thing. */
const historyOf = ({ history = [] }: Export, id: string): readonly Record[] => {
  const events = history.find(({ subject_id }) => subject_id === id)?.events;
  return Array.isArray(events) ? events : [];
};
const typesOf = (all: Export, id: string) => historyOf(all, id).map(({ type }) => type);

describe("GET /profile/export", () => {
  it("has all that the service holds about the caller", async () => {
    const { owner, claimer, spot, window, claim } = await holding(building);
    await owner.put("/profile", { full_name: "Owen", phone_number: "(112)", vehicle: "O 1" }, 200);
    const accessPath = `/parking-spots/${spot.id}/access`;
    await owner.put(accessPath, { access_notes: "Code 4711" }, 200);
    await claimer.put(`/claims/${claim.id}`, { guest: "Grace", vehicle: "C 1" }, 200);
    await postWithKey(building.service.origin, claimer, "/parking-spots", "a key", {
      spot_number: "Export 1",
      building_section: "North",
    });

    const made = await exported(claimer);
    expect(made).toMatchObject({
      profile: [{ id: claimer.id, apartment_number: "1A" }],
      user: [{ id: claimer.id, email: claimer.email }],
      spots: [{ spot_number: "Export 1", owner_id: claimer.id }],
      claims_made: [
        {
          id: claim.id,
          guest: "Grace",
          vehicle: "C 1",
          spot_number: spot.spot_number,
          contact: { role: "owner", full_name: "Owen", apartment_number: "1A" },
        },
      ],
      answers: [{ key: "a key" }],
      counts: [{ counted: "active", number: 1 }],
    });
    // Brackets and words, because an id may have any digits.
    expect(JSON.stringify(made.claims_made)).not.toContain("(112)"); // not shared
    expect(JSON.stringify(made)).not.toContain("Code 4711"); // of another's spot
    expect(typesOf(made, claimer.id)).toEqual(["profile.registered", "profile.approved"]);
    expect(typesOf(made, claim.id)).toEqual(["claim.submitted", "claim.updated"]);

    const received = await exported(owner);
    expect(received).toMatchObject({
      profile: [{ vehicle: "O 1" }],
      spots: [{ id: spot.id }],
      access_notes: [{ spot_id: spot.id, access_notes: "Code 4711" }],
      availabilities: [{ id: window.id, is_claimed: true }],
      claims_received: [{ id: claim.id, guest: "Grace", contact: { role: "claimer" } }],
      notifications: [{ kind: "claim.submitted", claim_id: claim.id }],
    });
    expect(received).not.toHaveProperty("claims_made");
  });

  it("has what was deleted as the log has it, whoever deleted it", async () => {
    const { owner, claimer, spot, window, claim } = await holding(building);
    await claimer.delete(`/claims/${claim.id}`, 200);
    const again = await claimOf(claimer, window);
    await claimer.put(`/claims/${again.id}`, { status: "cancelled" }, 200);
    await administrator.delete(`/admin/parking-spots/${spot.id}?reason=Repairs`, 200);

    const eventsAbout = async (person: Person, id: string) =>
      historyOf(await exported(person), id).map(({ type, by_you }) => [type, by_you]);
    expect(await eventsAbout(claimer, claim.id)).toEqual([
      ["claim.submitted", true],
      ["claim.deleted", true],
    ]);
    expect(await eventsAbout(claimer, again.id)).toEqual([
      ["claim.submitted", true],
      ["claim.cancelled", true],
    ]);
    expect(await eventsAbout(owner, spot.id)).toEqual([
      ["spot.registered", true],
      ["spot.deleted", false],
    ]);
  });

  it("says what an administrator did, and not about whom", async () => {
    const { claim, claimer } = await holding(building);
    await claimer.put(`/claims/${claim.id}`, { guest: "Secret" }, 200);
    const path = `/admin/claims/${claim.id}`;
    await administrator.put(path, { status: "cancelled", reason: "Repairs" }, 200);

    const all = await exported(administrator);
    const act = all.acts?.find(({ subject_id }) => subject_id === claim.id);
    expect(act).toMatchObject({ type: "claim.cancelled", reason: "Repairs" });
    expect(act).not.toHaveProperty("data");
    expect(JSON.stringify(all)).not.toContain("Secret");
  });

  it("has nothing of anybody else", async () => {
    const { owner, claimer, claim } = await holding(building);
    const other = await building.resident();
    const text = JSON.stringify(await exported(other));
    for (const id of [owner.id, claimer.id, claim.id]) expect(text).not.toContain(id);
    const { rows } = await other.sql(
      `select * from private.exported('claims_made', array['${claim.id}']::uuid[])
       union all select * from private.exported('profile', array['${owner.id}']::uuid[])`,
    );
    expect(rows).toEqual([]);
  });

  it("is there before approval and after it was taken back, without claims of others", async () => {
    const newcomer = await building.unapproved();
    expect(Object.keys(await exported(newcomer))).toEqual(["history", "profile", "user"]);

    const { owner, claim } = await holding(building);
    await suspend(building, owner);
    const all = await exported(owner);
    expect(all).toMatchObject({ spots: [{ owner_id: owner.id }] });
    expect(all).not.toHaveProperty("claims_received");
    expect(historyOf(all, claim.id)).toEqual([]);
  });

  it("needs a profile", async () => {
    const stranger = await building.newcomer();
    expect(answerOf(await stranger.get("/profile/export"))).toEqual(
      refusal(404, "User profile not found"),
    );
  });

  it("has every one of thousands of records once, and in one JSON", async () => {
    const owner = await building.resident();
    const spot = await spotOf(owner);
    await windowOf(owner, spot);
    await writePastRules(
      building,
      `insert into parking.notifications (recipient_id, kind, message)
       select $1, 'spot.verified', 'Number ' || n from generate_series(1, 3500) n`,
      [owner.id],
    );
    const { notifications = [] } = await exported(owner);
    expect(notifications).toHaveLength(3500);
    expect(new Set(notifications.map(({ message }) => message)).size).toBe(3500);
  });

  it("holds no connection while the client is slow", async () => {
    const person = await building.resident();
    await writePastRules(
      building,
      `insert into parking.notifications (recipient_id, kind, message)
       select $1, 'spot.verified', repeat('x', 10000) from generate_series(1, 3000)`,
      [person.id],
    );
    const left = new AbortController();
    const response = await fetch(`${building.service.origin}/api/profile/export`, {
      headers: { Authorization: `Bearer ${person.token}` },
      signal: left.signal,
    });
    expect((await response.body?.getReader().read())?.value?.length).toBeGreaterThan(0);

    const busy = () =>
      building.rows(
        `select 1 from pg_stat_activity
          where usename = 'parking_api' and datname = current_database() and state <> 'idle'`,
      );
    await until("an idle connection", async () => (await busy()).length === 0);
    left.abort();
    expect((await person.get("/dashboard")).status).toBe(200);
  });

  it("breaks off where a piece cannot be read, and says so in the log", async () => {
    const person = await building.resident();
    await building.rows("revoke execute on function private.exported from parking_api");
    try {
      const answer = fetch(`${building.service.origin}/api/profile/export`, {
        headers: { Authorization: `Bearer ${person.token}` },
      });
      await expect(answer.then((response) => response.text())).rejects.toThrow();
    } finally {
      await building.rows("grant execute on function private.exported to parking_api");
    }
    expect(Object.keys(await exported(person))).toContain("profile");
  });
});

describe("GET /profile/export, with limits", () => {
  const limited = useBuilding({
    rateLimits: { perMinute: 100, perHour: 100, profilePerMinute: 10 },
  });

  it("counts as ten requests", async () => {
    const person = await limited.resident(); // with one request
    const left = async () =>
      Number((await person.get("/profile/export")).headers.get("X-RateLimit-Remaining"));
    expect([await left(), await left()]).toEqual([89, 79]);
    for (let i = 0; i < 7; i++) await left();
    expect((await person.get("/profile/export")).status).toBe(429);
  });
});
