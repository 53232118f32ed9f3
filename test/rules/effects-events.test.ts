import { beforeAll, describe, expect, it } from "@jest/globals";
import { type Act, actsOfAdministrators, actsOfResidents, changesIn } from "../support/acts.ts";
import { claimOf, holding, offer, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { shownRow } from "../support/rows.ts";
import { holdsForAll } from "../support/table.ts";
import type { Statement } from "./support.ts";

const building = useBuilding();
beforeAll(() => building.administrator()); // who remains

interface Event {
  readonly type: string;
  readonly subject_id: string;
  readonly actor_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}
/** The events that an action adds. */
async function eventsOf(action: () => Promise<unknown>): Promise<readonly Event[]> {
  const log = () =>
    building.rows<Event>(
      `select type, subject_id, actor_id, private.event_data(type, data) as data
         from private.events
        where type <> 'notification.created'
        order by id`,
    );
  const before = await log();
  await action();
  return (await log()).slice(before.length);
}

/** The tables whose rows events show, by the first word of their types. */
const tables = {
  profile: "profiles",
  spot: "spots",
  availability: "availabilities",
  claim: "claims",
} as const;

/** The row that an event is about, as clients see it; undefined when it is gone. */
async function shown(type: string, id: unknown): Promise<Event["data"] | undefined> {
  const table = tables[type.split(".")[0] as keyof typeof tables];
  if (table === undefined || !/^[\da-f-]{36}$/.test(String(id))) return undefined;
  const [row] = await building.rows<Pick<Event, "data">>(
    `select ${shownRow(table, "t")} as data from parking.${table} t where t.id = $1`,
    [id],
  );
  return row?.data;
}

/** Fails unless the statement adds an event of this type, with the actor and the row. */
async function expectEvent(type: string, actor: Person, [text, values]: Statement) {
  const [id] = values;
  const before = await shown(type, id);
  const events = await eventsOf(() => actor.sql(text, values));
  // Others are about the windows that go with it, say.
  expect(new Set(events.map(({ actor_id }) => actor_id))).toEqual(new Set([actor.id]));
  const [event, ...again] = events.filter((it) => it.type === type);
  expect([event?.type, again]).toEqual([type, []]);
  const row = (await shown(type, event?.subject_id)) ?? before;
  if (row) expect(event?.data).toMatchObject({ ...row, updated_at: expect.any(String) });
}

/** The event of each act; one that is not here has none. */
const types: Readonly<Record<string, string>> = {
  "POST /parking-spots": "spot.registered",
  "PUT /parking-spots/:id": "spot.updated",
  "DELETE /parking-spots/:id": "spot.deleted",
  "PUT /parking-spots/:id/access, the first": "access.updated",
  "PUT /parking-spots/:id/access": "access.updated",
  "POST /availabilities": "availability.created",
  "PUT /availabilities/:id": "availability.updated",
  "DELETE /availabilities/:id": "availability.deleted",
  "POST /claims": "claim.submitted",
  "POST /claims/series": "claim.submitted",
  "PUT /claims/series/:id": "claim.cancelled",
  "PUT /claims/:id": "claim.cancelled",
  "DELETE /claims/:id": "claim.deleted",
  "POST /patterns": "pattern.created",
  "PUT /patterns/:id": "pattern.updated",
  "DELETE /patterns/:id": "pattern.deleted",
  "DELETE /exceptions/:id": "availability.updated",
  "POST /spot-reports": "report.submitted",
  "PUT /profile": "profile.updated",
  "PUT /admin/parking-spots/:id": "spot.verified",
  "DELETE /admin/parking-spots/:id": "spot.deleted",
  "DELETE /admin/availabilities/:id": "availability.deleted",
  "PUT /admin/claims/:id": "claim.cancelled",
  "PUT /admin/profiles/:id": "profile.updated",
  "DELETE /admin/profiles/:id": "profile.erased",
  "PUT /admin/building": "building.updated",
  "PUT /admin/spot-reports/:id": "report.resolved",
  "DELETE /admin/keys/:id": "key.deleted",
};

describe("the log", () => {
  const acts: Readonly<Record<string, () => Promise<Act>>> = {
    ...actsOfResidents(building),
    ...actsOfAdministrators(building),
    ...changesIn(building),
  };

  it("gets the event of each act, with the actor and the row", () =>
    holdsForAll(Object.entries(types), async ([name, type]) => {
      const act = await acts[name]?.();
      if (!act) throw new Error("there is no such act");
      await expectEvent(type, act.actor, act.sql);
    }));

  it("gets none of others", () =>
    holdsForAll(
      Object.keys(acts).filter((name) => !types[name] && !name.includes("sections")),
      async (name) => {
        const act = await acts[name]?.();
        if (!act) throw new Error("there is no such act");
        expect(await eventsOf(() => act.actor.sql(...act.sql))).toEqual([]);
      },
    ));

  it("tells apart how a profile, a spot and a claim change, and whether they do", async () => {
    const administrator = await building.administrator();
    const pending = await building.unapproved();
    const { owner, claimer, spot, claim } = await holding(building);
    const rows = { profiles: pending, spots: spot, claims: claim };
    await holdsForAll<readonly [string | undefined, Person, keyof typeof rows, change: string]>(
      [
        [undefined, pending, "profiles", "full_name = full_name"],
        ["profile.updated", pending, "profiles", "full_name = 'Ada'"],
        [undefined, administrator, "profiles", "is_approved = false"],
        ["profile.updated", administrator, "profiles", "is_admin = true"],
        ["profile.approved", administrator, "profiles", "is_admin = false, is_approved = true"],
        ["profile.updated", administrator, "profiles", "is_approved = false"],
        ["profile.rejected", administrator, "profiles", "rejection_reason = 'Unknown'"],
        [undefined, owner, "spots", "building_section = building_section"],
        ["spot.updated", owner, "spots", "building_section = 'South'"],
        ["spot.verified", administrator, "spots", "is_verified = true"],
        ["spot.updated", administrator, "spots", "is_verified = false"],
        [undefined, claimer, "claims", "status = 'active'"],
        ["claim.updated", claimer, "claims", "end_time = end_time - interval '1 ms'"],
        ["claim.completed", claimer, "claims", "status = 'completed'"],
      ],
      async ([type, actor, table, change]) => {
        const text = `update parking.${table} set ${change} where id = $1`;
        const statement = [text, [rows[table].id]] as const;
        if (type) await expectEvent(type, actor, statement);
        else expect(await eventsOf(() => actor.sql(...statement))).toEqual([]);
      },
    );
    const newcomer = await building.newcomer();
    await expectEvent("profile.registered", newcomer, ["select api.create_profile('1A')", []]);
  });

  it("names no actor when the owner of the database acts", async () => {
    const { spot } = await offer(building);
    const verify = "update parking.spots set is_verified = true where id = $1";
    expect(await eventsOf(() => building.rows(verify, [spot.id]))).toMatchObject([
      { type: "spot.verified", actor_id: null },
    ]);
  });

  it("gets an event of each notification, with nothing but the recipient in it", async () => {
    const { owner, window, claimer } = await offer(building);
    const claim = await claimOf(claimer, window);
    const events = await building.rows(
      `select e.actor_id, e.reason, e.data
         from private.events e
         join parking.notifications n on n.id = e.subject_id
        where e.type = 'notification.created'
          and n.claim_id = $1`,
      [claim.id],
    );
    expect(events).toEqual([{ actor_id: null, reason: null, data: { recipient_id: owner.id } }]);
  });
});
