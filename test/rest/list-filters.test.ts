import { beforeAll, describe, expect, it } from "@jest/globals";
import { type Claim, type Spot, spotOf, useBuilding, type Window } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { holdsForAll } from "../support/table.ts";

interface Row {
  readonly id: string;
}

const building = useBuilding();
let ann: Person;
let bob: Person;
let cid: Person;
let administrator: Person;
let north: Spot;
let south: Spot;

/** The names of the rows in these tests, by id. */
const names = new Map<string, string>();

const named = <R extends Row>(name: string, row: R): R => {
  names.set(row.id, name);
  return row;
};

/** January of a year far ahead, so that the tests of the date filters can use fixed dates. */
const january = (time: string): string => `2101-01-${time}:00:00.000Z`;

const publish = async (owner: Person, { id }: Spot, from: string, to: string) => {
  const times = { start_time: january(from), end_time: january(to) };
  const { body } = await owner.post<{ availability: Window }>(
    "/availabilities",
    { spot_id: id, ...times },
    201,
  );
  return body.availability;
};

const claim = async (person: Person, window: Window, status: string) => {
  const { id, start_time, end_time } = window;
  const { body } = await person.post<{ claim: Claim }>(
    "/claims",
    { availability_id: id, start_time, end_time },
    201,
  );
  await person.put(`/claims/${body.claim.id}`, { status }, 200);
  return body.claim;
};

beforeAll(async () => {
  ann = named("Ann", await building.resident());
  bob = named("Bob", await building.resident());
  cid = named("Cid", await building.resident());
  administrator = named("administrator", await building.administrator());
  named("waiting", await building.unapproved());

  north = named("north", await spotOf(ann, "North wing"));
  south = named("south", await spotOf(bob, "South wing"));
  named("north of Bob", await spotOf(bob, "North wing"));
  await administrator.put(`/admin/parking-spots/${north.id}`, { is_verified: true }, 200);

  const first = named("1st", await publish(ann, north, "01T10", "01T12"));
  const second = named("2nd", await publish(ann, north, "02T00", "02T06"));
  const third = named("3rd", await publish(bob, south, "02T10", "03T00"));
  named("completed", await claim(cid, first, "completed"));
  named("cancelled", await claim(cid, second, "cancelled"));
  named("active", await claim(ann, third, "active"));

  const notifications = await building.rows<Row & { kind: string }>(
    `update parking.notifications
        set is_read = kind = 'claim.submitted'
      where recipient_id = $1
     returning id, split_part(kind, '.', 2) as kind`,
    [ann.id],
  );
  for (const notification of notifications) named(notification.kind, notification);
});

/** What each query finds; an id in braces is that of a row above. */
const found: readonly (readonly [query: string, expected: string])[] = [
  ["/parking-spots?", "north, north of Bob, south"],
  ["/parking-spots?owner_id={Bob}", "north of Bob, south"],
  ["/parking-spots?owner_id={ANN}", "north"],
  ["/parking-spots?owner_id={Cid}", ""],
  ["/parking-spots?building_section=North wing", "north, north of Bob"],
  ["/parking-spots?building_section= South wing ", "south"],
  ["/parking-spots?building_section=North", ""],
  ["/parking-spots?is_verified=true", "north"],
  ["/parking-spots?is_verified=false", "north of Bob, south"],
  ["/parking-spots?owner_id={Bob}&building_section=North wing&is_verified=false", "north of Bob"],
  ["/availabilities?", "1st, 2nd, 3rd"],
  ["/availabilities?spot_id={north}", "1st, 2nd"],
  ["/availabilities?owner_id={Bob}", "3rd"],
  ["/availabilities?is_claimed=true", "1st, 3rd"],
  ["/availabilities?is_claimed=false", "2nd"],
  ["/availabilities?start_date=2101-01-02", "2nd, 3rd"],
  ["/availabilities?start_date=2101-01-01T10:00:00Z", "1st, 2nd, 3rd"],
  ["/availabilities?start_date=2101-01-01T10:00:00.001Z", "2nd, 3rd"],
  ["/availabilities?start_date=2101-01-02T01:30:00+02:00", "2nd, 3rd"],
  ["/availabilities?end_date=2101-01-02", "1st"],
  ["/availabilities?end_date=2101-01-03", "1st, 2nd"],
  ["/availabilities?end_date=2101-01-03T00:00:00.001Z", "1st, 2nd, 3rd"],
  ["/availabilities?end_date=2101-01-01T23:00:01-07:00", "1st, 2nd"],
  ["/availabilities?start_date=2101-01-02&end_date=2101-01-03", "2nd"],
  ["/availabilities?spot_id={north}&owner_id={Ann}&is_claimed=true&end_date=2101-01-03", "1st"],
  ["/claims?", "active, cancelled, completed"],
  ["/claims?claimer_id={Cid}", "cancelled, completed"],
  ["/claims?spot_id={south}", "active"],
  ["/claims?status=active", "active"],
  ["/claims?status=completed", "completed"],
  ["/claims?status=cancelled", "cancelled"],
  ["/claims?start_date=2101-01-02", "active, cancelled"],
  ["/claims?start_date=2101-01-02T00:00:00.001Z", "active"],
  ["/claims?end_date=2101-01-02", "completed"],
  ["/claims?end_date=2101-01-02T06:00:00.001Z", "cancelled, completed"],
  ["/claims?end_date=2101-01-02T06:00:00Z", "completed"],
  ["/claims?overlaps_start=2101-01-02T05:59:59.999Z", "active, cancelled"],
  ["/claims?overlaps_start=2101-01-02T06:00:00Z", "active"],
  ["/claims?claimer_id={Cid}&spot_id={north}&status=cancelled", "cancelled"],
  ["/admin/profiles?", "Ann, Bob, Cid, administrator, waiting"],
  ["/admin/profiles?is_approved=true", "Ann, Bob, Cid, administrator"],
  ["/admin/profiles?is_approved=false", "waiting"],
  ["/admin/profiles?is_admin=true", "administrator"],
  ["/admin/profiles?is_admin=false", "Ann, Bob, Cid, waiting"],
  ["/admin/profiles?is_approved=true&is_admin=false", "Ann, Bob, Cid"],
];
/** The same of what Ann is notified of. */
const notifications: typeof found = [
  ["/notifications?", "cancelled, completed, submitted, submitted, verified"],
  ["/notifications?is_read=true", "submitted, submitted"],
  ["/notifications?is_read=false", "cancelled, completed, verified"],
  ["/notifications?claim_id={cancelled}", "cancelled, submitted"],
  ["/notifications?claim_id={north}", ""],
];

/** The rows that a list has with this query, by their names. */
async function namesIn(person: Person, path: string): Promise<string> {
  const query = path.replaceAll("+", "%2B").replaceAll(/\{([\w ]+)\}/g, (_, name: string) => {
    const isLoud = name === name.toUpperCase();
    const [id = ""] = [...names].find(([, it]) => it.toUpperCase() === name.toUpperCase()) ?? [];
    return isLoud ? id.toUpperCase() : id;
  });
  const { body } = await person.get<Readonly<Record<string, readonly Row[] | number>>>(query, 200);
  const rows = Object.values(body).find((it) => typeof it === "object") ?? [];
  expect(body.total).toBe(rows.length);
  return rows
    .map(({ id }) => names.get(id))
    .toSorted()
    .join(", ");
}

describe("a list", () => {
  it("has the rows that fit each filter, and all of them", () =>
    holdsForAll(found, async ([query, expected]) =>
      expect(await namesIn(administrator, query)).toBe(expected),
    ));

  it("has the notifications of the caller that fit each filter", () =>
    holdsForAll(notifications, async ([query, expected]) =>
      expect(await namesIn(ann, query)).toBe(expected),
    ));
});
