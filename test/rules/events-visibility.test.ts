import { beforeAll, describe, expect, it } from "@jest/globals";
import { claimOf, hours, spotOf, useBuilding, windowOf } from "../support/building.ts";
import { orderEvents } from "../support/events.ts";
import { threeDays } from "../support/patterns.ts";
import type { Person } from "../support/person.ts";
import { type Random, random } from "../support/random.ts";
import { suspend } from "../support/rows.ts";

const building = useBuilding();

/** Tables by the first word of their events. */
const tables = {
  profile: "profiles",
  spot: "spots",
  availability: "availabilities",
  pattern: "patterns",
  claim: "claims",
  report: "spot_reports",
  notification: "notifications",
} as const;

const ALL = Object.values(tables)
  .map((table) => `select '${table} ' || id as name from parking.${table}`)
  .join(" union all ");

interface View {
  readonly position: string;
  readonly type: string | null;
  readonly data: { readonly availability_id?: string; readonly id: string };
  readonly seen_by: readonly number[] | null;
}
interface LoggedEvent {
  readonly position: string;
  readonly type: string;
  readonly subject_id: string;
  readonly data: { readonly availability_id?: string };
}

let people: readonly Person[];
/** By table and id of a row, who could read it when it was last there. */
const readers = new Map<string, ReadonlySet<Person>>();
let views: readonly View[];
let events: readonly LoggedEvent[];

/** What row-level security says now. */
async function noteReaders(): Promise<ReadonlySet<string>> {
  const now = new Map<string, Set<Person>>();
  for (const { name } of await building.rows<{ name: string }>(ALL)) now.set(name, new Set());
  for (const person of people) {
    const { rows } = await person.sql<{ name: string }>(ALL);
    for (const { name } of rows) now.get(name)?.add(person);
  }
  for (const [name, them] of now) readers.set(name, them);
  return new Set(now.keys());
}

const idsOf = (table: string): Promise<{ id: string; owner_id: string }[]> =>
  building.rows(`select * from parking.${table} order by id`);

/** Something that somebody does; some of it is refused. */
async function move(chance: Random): Promise<void> {
  const person = chance.pick(people);
  const from = 1 + chance.below(200);
  const span = { start_time: hours(from), end_time: hours(from + 1 + chance.below(6)) };
  const anyOf = async (table: string) => {
    const rows = await idsOf(table);
    return rows.length > 0 ? chance.pick(rows) : { id: person.id, owner_id: person.id };
  };
  const ownerOf = (id: string) => people.find((it) => it.id === id) ?? person;
  const kind = chance.below(14);
  if (kind === 0) await spotOf(people[chance.below(2)] as Person);
  else if (kind <= 3) {
    const spot = await anyOf("spots");
    await ownerOf(spot.owner_id).post("/availabilities", { spot_id: spot.id, ...span });
  } else if (kind <= 7) {
    const { id } = await anyOf("availabilities");
    const [window] = await building.rows<{ start_time: Date; end_time: Date }>(
      "select start_time, end_time from parking.availabilities where id = $1",
      [id],
    );
    await person.post("/claims", {
      availability_id: id,
      start_time: window?.start_time ?? hours(1),
      end_time: window?.end_time ?? hours(2),
    });
  } else if (kind === 8 || kind === 9) {
    const { id } = await anyOf("claims");
    const change = chance.pick([{ status: "cancelled" }, { status: "completed" }, { guest: "G" }]);
    for (const it of people) await it.put(`/claims/${id}`, change);
  } else if (kind === 10) {
    const { id } = await anyOf("claims");
    for (const it of people) await it.delete(`/claims/${id}`);
  } else if (kind === 11) {
    const window = await anyOf("availabilities");
    await ownerOf(window.owner_id).delete(`/availabilities/${window.id}`);
  } else if (kind === 12) {
    const spot = await anyOf("spots");
    await ownerOf(spot.owner_id).post("/patterns", threeDays(spot));
    await ownerOf(spot.owner_id).post("/spot-reports", { spot_id: spot.id });
    await person.put("/profile", { full_name: `Name ${from}` });
  } else {
    const administrator = people.at(-1) as Person;
    const { id } = await anyOf(chance.pick(["spots", "availabilities"]));
    await administrator.delete(`/admin/parking-spots/${id}?reason=Repairs`);
    await administrator.delete(`/admin/availabilities/${id}?reason=Repairs`);
  }
}

beforeAll(async () => {
  const residents = [];
  for (let count = 0; count < 4; count++) residents.push(await building.resident());
  const suspended = await building.resident();
  const unapproved = await building.unapproved();
  const staff = [await building.concierge(), await building.administrator()];
  people = [...residents, suspended, unapproved, ...staff];
  const [owner, other] = residents as [Person, Person];
  await spotOf(owner);
  await spotOf(other);
  const spot = await spotOf(suspended);
  await claimOf(owner, await windowOf(suspended, spot, 1, 3));
  const [free, gone] = [
    await windowOf(suspended, spot, 4, 6),
    await windowOf(suspended, spot, 8, 9),
  ];
  await claimOf(owner, free).then(({ id }) => owner.delete(`/claims/${id}`, 200));
  await suspend(building, suspended);
  await noteReaders();
  await building.rows("delete from parking.availabilities where id = $1", [gone.id]);

  const chance = random(20_261_122);
  for (let count = 0; count < 70; count++) {
    await noteReaders();
    await move(chance);
  }
  await noteReaders();
  await orderEvents(building.service);
  events = await building.rows("select * from private.events where position > 0 order by position");
  const sql = "select * from private.read_events(0, $1, 100000)";
  const { rows } = await building.service.pool.query<View>(sql, [people.map(({ id }) => id)]);
  views = rows;
}, 120_000);

describe("private.read_events", () => {
  const nameOf = ({ type, subject_id }: Pick<LoggedEvent, "type" | "subject_id">) =>
    `${tables[type.split(".")[0] as keyof typeof tables]} ${subject_id}`;

  it("shows each event to those whom row-level security shows its row, and to nobody else", async () => {
    const approved = new Set(views.at(-1)?.seen_by);
    const wrong: string[] = [];
    const found = new Map<string, number>();
    const note = (what: string) => found.set(what, (found.get(what) ?? 0) + 1);
    const there = await noteReaders();
    for (const event of events) {
      const known = readers.get(nameOf(event));
      if (known === undefined) continue; // it came and went in one move
      const ofEvent = views.filter(({ position }) => position === event.position);
      for (const [index, person] of people.entries()) {
        const shown = ofEvent
          .filter(
            ({ type, seen_by }) =>
              type !== null && (seen_by?.includes(index + 1) ?? approved.has(index + 1)),
          )
          .map(({ type }) => type);
        const windowName = `availabilities ${event.data.availability_id}`;
        const frees = ["claim.submitted", "claim.cancelled", "claim.deleted"].includes(event.type);
        const seesWindow = there.has(windowName) && readers.get(windowName)?.has(person);
        const isParty = known.has(person) && approved.has(index + 1);
        const expected = [
          ...(isParty ? [event.type] : []),
          ...(frees && seesWindow && approved.has(index + 1) ? ["availability.updated"] : []),
        ];
        for (const type of expected) note(`${event.type} as ${type}`);
        if (expected.length === 0) note(`${event.type} as undefined`);
        if (shown.join() !== expected.join())
          wrong.push(`${event.position} ${event.type} for ${index}: ${shown}, not ${expected}`);
      }
    }
    expect(wrong).toEqual([]);
    // The moves have led to all of these.
    for (const type of ["claim.submitted", "claim.cancelled", "claim.deleted"])
      for (const seen of [type, "availability.updated", undefined])
        expect([...found.keys()]).toContain(`${type} as ${seen}`);
    for (const type of [
      "availability.created",
      "availability.deleted",
      "pattern.created",
      "profile.updated",
      "notification.created",
      "spot.registered",
      "spot.deleted",
    ])
      expect([...found.keys()]).toEqual(
        expect.arrayContaining([`${type} as ${type}`, `${type} as undefined`]),
      );
  });

  it("says who is approved", () => {
    expect(views.at(-1)?.type).toBeNull();
    expect(new Set(views.at(-1)?.seen_by)).toEqual(new Set([1, 2, 3, 4, 7, 8]));
  });

  it("shows a window as it is now", async () => {
    const updates = views.filter(
      ({ type, position }) =>
        type === "availability.updated" &&
        events.find((it) => it.position === position)?.type.startsWith("claim."),
    );
    expect(updates.length).toBeGreaterThan(3);
    const [person] = people as [Person];
    for (const { data } of updates) {
      const answer = await person.get<{ availability: object }>(`/availabilities/${data.id}`);
      if (answer.status === 200) expect(data).toMatchObject(answer.body.availability);
    }
  });

  it("reads so many events at a time, and says how far it came", async () => {
    const sql = "select * from private.read_events($1, $2, 7)";
    const found: View[] = [];
    let after = "0";
    for (let last: View | undefined; last?.position !== events.at(-1)?.position; ) {
      const { rows } = await building.service.pool.query<View>(sql, [
        after,
        people.map((p) => p.id),
      ]);
      last = rows.pop();
      found.push(...rows);
      after = last?.position ?? "";
    }
    expect(found).toEqual(views.slice(0, -1));
  });
});

it("private.current_position is for approved people", async () => {
  const positions = await Promise.all(
    people.map(async (person) => {
      const { rows } = await person.sql<{ position: string | null }>(
        "select position from api.get_events()",
      );
      return rows[0]?.position;
    }),
  );
  const last = events.at(-1)?.position;
  expect(positions).toEqual([last, last, last, last, null, null, last, last]);
});
