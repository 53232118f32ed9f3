import { beforeEach, describe, expect, it } from "@jest/globals";
import {
  claimOf,
  holding,
  hours,
  offer,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { shownRow } from "../support/rows.ts";
import { insertClaim, insertSpot, insertWindow } from "./support.ts";

type Table = Parameters<typeof shownRow>[0];
type Actor = "newcomer" | "pending" | "owner" | "claimer" | "administrator";

const building = useBuilding();
let people: Readonly<Record<Actor, Person>>;
/** The row of each table that the tests change. It belongs to `pending`, `owner` or `claimer`. */
let ids: Readonly<Record<Table, string>>;
let freeWindow: Window;
beforeEach(async () => {
  const { owner, claimer, spot, claim } = await holding(building);
  freeWindow = await windowOf(owner, spot, 10, 12);
  const [newcomer, pending] = [await building.newcomer(), await building.unapproved()];
  people = { newcomer, pending, owner, claimer, administrator: await building.administrator() };
  ids = { profiles: pending.id, spots: spot.id, availabilities: freeWindow.id, claims: claim.id };
});

interface Event {
  readonly type: string;
  readonly subject_id: string;
  readonly actor_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}
/** The events that an action adds. */
async function eventsOf(action: () => Promise<unknown>): Promise<Event[]> {
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

/** A row as clients see it; undefined when it is gone. */
async function shown(table: Table, id: string): Promise<Event["data"] | undefined> {
  const [row] = await building.rows<Pick<Event, "data">>(
    `select ${shownRow(table, "t")} as data from parking.${table} t where t.id = $1`,
    [id],
  );
  return row?.data;
}

interface Change {
  readonly table: Table;
  readonly by: Actor;
  readonly change: string;
}
const make = ({ table, by, change }: Change) =>
  people[by].sql(`update parking.${table} set ${change} where id = $1`, [ids[table]]);

describe("the log", () => {
  it.each<Change & { readonly type: string }>([
    { type: "profile.updated", table: "profiles", by: "pending", change: "full_name = 'Ada'" },
    { type: "profile.updated", table: "profiles", by: "administrator", change: "is_admin = true" },
    {
      type: "profile.approved",
      table: "profiles",
      by: "administrator",
      change: "is_admin = true, is_approved = true",
    },
    { type: "spot.updated", table: "spots", by: "owner", change: "building_section = 'South'" },
    { type: "spot.verified", table: "spots", by: "administrator", change: "is_verified = true" },
    {
      type: "availability.updated",
      table: "availabilities",
      by: "owner",
      change: "end_time = end_time + interval '1 ms'",
    },
    {
      type: "claim.updated",
      table: "claims",
      by: "claimer",
      change: "end_time = end_time - interval '1 ms'",
    },
    { type: "claim.completed", table: "claims", by: "claimer", change: "status = 'completed'" },
    { type: "claim.cancelled", table: "claims", by: "claimer", change: "status = 'cancelled'" },
  ])("gets $type, with the actor and the new row, when $by sets $change", async (entry) => {
    const { type, table, by } = entry;

    const events = await eventsOf(() => make(entry));

    const data = await shown(table, ids[table]);
    expect(events).toEqual([{ type, subject_id: ids[table], actor_id: people[by].id, data }]);
  });

  it.each<Change & { readonly type: string; readonly first: string }>([
    {
      type: "profile.updated",
      table: "profiles",
      by: "administrator",
      first: "is_approved = true",
      change: "is_approved = false",
    },
    {
      type: "spot.updated",
      table: "spots",
      by: "administrator",
      first: "is_verified = true",
      change: "is_verified = false",
    },
  ])("gets $type when $by reverts $first", async ({ type, first, ...change }) => {
    await make({ ...change, change: first });
    expect(await eventsOf(() => make(change))).toMatchObject([{ type }]);
  });

  it.each([
    {
      type: "spot.registered",
      table: "spots",
      by: "owner",
      statement: () => insertSpot("A1", "North"),
    },
    {
      type: "availability.created",
      table: "availabilities",
      by: "owner",
      statement: () =>
        insertWindow({ id: ids.spots, owner_id: people.owner.id }, hours(20), hours(21)),
    },
    {
      type: "claim.submitted",
      table: "claims",
      by: "claimer",
      statement: () => insertClaim(freeWindow),
    },
  ] as const)(
    "gets $type, with the actor and the new row",
    async ({ type, table, by, statement }) => {
      const actor = people[by];
      const events = await eventsOf(() => actor.sql(...statement()));
      const [{ subject_id: id = "" } = {}] = events;
      const data = await shown(table, id);
      expect(data).toMatchObject({ id });
      expect(events).toEqual([{ type, subject_id: id, actor_id: actor.id, data }]);
    },
  );

  it("gets profile.registered", async () => {
    const { newcomer } = people;
    const events = await eventsOf(() => newcomer.sql("select api.create_profile('1A')"));
    const data = await shown("profiles", newcomer.id);
    expect(events).toEqual([
      { type: "profile.registered", subject_id: newcomer.id, actor_id: newcomer.id, data },
    ]);
  });

  it.each([
    { type: "availability.deleted", table: "availabilities", by: "owner" },
    { type: "claim.deleted", table: "claims", by: "claimer" },
  ] as const)("gets $type, with the actor and the deleted row", async ({ type, table, by }) => {
    const id = ids[table];
    const data = await shown(table, id);
    const events = await eventsOf(() =>
      people[by].sql(`delete from parking.${table} where id = $1`, [id]),
    );
    expect(await shown(table, id)).toBeUndefined();
    expect(events).toEqual([{ type, subject_id: id, actor_id: people[by].id, data }]);
  });

  it("gets an event for every row that goes with a spot, and none for what stays", async () => {
    const { owner, claimer } = people;
    await claimer.sql("update parking.claims set status = 'completed'");
    const spot = await shown("spots", ids.spots);

    const events = await eventsOf(() =>
      owner.sql("delete from parking.spots where id = $1", [ids.spots]),
    );

    const actor_id = owner.id;
    expect(events).toEqual([
      {
        type: "spot.deleted",
        subject_id: ids.spots,
        actor_id,
        data: { ...spot, updated_at: expect.any(String) },
      },
      expect.objectContaining({ type: "availability.deleted", actor_id }),
    ]);
  });

  it("names no actor when the owner of the database acts", async () => {
    const events = await eventsOf(() =>
      building.rows("update parking.spots set is_verified = true where id = $1", [ids.spots]),
    );
    expect(events).toMatchObject([{ type: "spot.verified", actor_id: null }]);
  });

  it.each<Change>([
    { table: "profiles", by: "pending", change: "full_name = full_name" },
    { table: "profiles", by: "administrator", change: "is_approved = false" },
    { table: "spots", by: "owner", change: "building_section = building_section" },
    { table: "spots", by: "administrator", change: "is_verified = false" },
    { table: "availabilities", by: "owner", change: "end_time = end_time" },
    { table: "claims", by: "claimer", change: "status = 'active'" },
  ])("gets nothing about $table when $by sets $change", async (change) => {
    expect(await eventsOf(() => make(change))).toEqual([]);
  });

  it("gets nothing when notifications are read", async () => {
    const { owner } = people;
    const read = await eventsOf(() => owner.sql("update parking.notifications set is_read = true"));
    expect(read).toEqual([]);
  });
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
