import { beforeAll, describe, expect, it } from "@jest/globals";
import { ask } from "../graphql/ask.ts";
import { complaint, malformed } from "../support/answers.ts";
import { hours, spotOf, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { random } from "../support/random.ts";
import { suspend, writePastRules } from "../support/rows.ts";

interface Window {
  readonly id: string;
  readonly owner: string;
  readonly section: string;
  readonly start: number;
  readonly end: number;
  readonly isClaimed: boolean;
}
type Filter = Readonly<Record<string, string>>;

const building = useBuilding();
const readers: Person[] = [];
const administrator = building.shared("administrator");
const suspended = building.shared("resident");
const windows: Window[] = [];
const { below, pick } = random(11);

const HOUR = 3_600_000;
const first = Date.parse("2101-01-01T00:00:00Z");
const at = (hour: number): string => new Date(first + hour * HOUR).toISOString();
const sections = ["North", "South"];

/** Windows of whole hours that often touch, and a long one now and then. */
async function fill(owner: Person): Promise<void> {
  for (const section of sections) {
    const spot = await spotOf(owner, section);
    for (let hour = below(5); hour < 60; ) {
      const end = hour + 1 + below(pick([4, 4, 30]));
      const isClaimed = below(3) === 0;
      const [row] = await building.rows<{ id: string }>(
        `insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
         values ($1, $2, $3, $4) returning id`,
        [spot.id, owner.id, at(hour), at(end)],
      );
      const { id = "" } = row ?? {};
      if (isClaimed) {
        await writePastRules(
          building,
          "update parking.availabilities set is_claimed = true where id = $1",
          [id],
        );
      }
      windows.push({ id, owner: owner.id, section, start: hour, end, isClaimed });
      hour = end + below(3);
    }
  }
}

beforeAll(async () => {
  readers.push(administrator, await building.resident(), await building.resident());
  for (const owner of [...readers, suspended]) await fill(owner);
  await suspend(building, suspended);
  await building.rows("select private.recount()"); // the triggers that count were off
});

const hourOf = (time: string): number => (Date.parse(time) - first) / HOUR;

/** The filters as people read them. */
const holds: Readonly<Record<string, (window: Window, value: string, reader: Person) => boolean>> =
  {
    start_date: ({ start }, value) => start >= hourOf(value),
    end_date: ({ end }, value) => end < hourOf(value),
    overlaps_start: ({ end }, value) => end > hourOf(value),
    overlaps_end: ({ start }, value) => start < hourOf(value),
    free_from: (window, value, reader) =>
      isFree(window, reader) && window.start <= hourOf(value) && window.end > hourOf(value),
    free_until: (window, value, reader) =>
      isFree(window, reader) && window.start < hourOf(value) && window.end >= hourOf(value),
    building_section: ({ section }, value) => section === value,
    is_claimed: ({ isClaimed }, value) => String(isClaimed) === value,
    owner_id: ({ owner }, value) => owner === value,
  };

const isFree = ({ isClaimed, owner }: Window, reader: Person): boolean =>
  !isClaimed && owner !== reader.id;

const isSeen = ({ isClaimed, owner }: Window, reader: Person): boolean =>
  isClaimed || owner !== suspended.id || reader === administrator;

const expectedIds = (filter: Filter, reader: Person): readonly string[] =>
  windows
    .filter((window) => isSeen(window, reader))
    .filter((window) =>
      Object.entries(filter).every(([name, value]) => holds[name]?.(window, value, reader)),
    )
    .map(({ id }) => id)
    .toSorted();

async function inRest(filter: Filter, reader: Person) {
  const query = new URLSearchParams({ ...filter, limit: "200" });
  const { body } = await reader.get<{ availabilities: { id: string }[]; total: number }>(
    `/availabilities?${query}`,
    200,
  );
  return { ids: body.availabilities.map(({ id }) => id).toSorted(), total: body.total };
}

async function inGraphql(filter: Filter, reader: Person) {
  const condition = Object.entries(filter).map(([name, value]) => {
    const camel = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return `${camel}: ${name === "is_claimed" ? value : JSON.stringify(value)}`;
  });
  const { rows } = await ask<{ rows: { nodes: { id: string }[]; totalCount: number } }>(
    building,
    reader,
    `{ rows: availabilities(first: 200, condition: { ${condition} }) { nodes { id } totalCount } }`,
  );
  return { ids: rows.nodes.map(({ id }) => id).toSorted(), total: rows.totalCount };
}

/** Some of the filters, with bounds at which windows start and end, and between these. */
function someFilter(): Filter {
  if (below(3) === 0) {
    const [from, until] = pick([
      ["overlaps_start", "overlaps_end"],
      ["free_from", "free_until"],
    ] as const);
    const hour = below(130) / 2 - 2;
    return { [from]: at(hour), [until]: at(hour + pick([0.5, 1, 6])) };
  }
  const names = Object.keys(holds).filter(() => below(4) === 0);
  const values: Readonly<Record<string, () => string>> = {
    building_section: () => pick([...sections, "Nowhere"]),
    is_claimed: () => pick(["true", "false"]),
    owner_id: () => pick(windows).owner,
  };
  return Object.fromEntries(
    names.map((name) => [name, values[name]?.() ?? at(below(140) / 2 - 2)]),
  );
}

describe("the filters of windows", () => {
  it("find what a model finds, in REST and GraphQL, for residents and administrators", async () => {
    for (let round = 0; round < 150; round++) {
      const reader = pick(readers);
      const filter = someFilter();
      const ids = expectedIds(filter, reader);
      const found = { ids, total: ids.length };
      expect({ filter, ...(await inRest(filter, reader)) }).toEqual({ filter, ...found });
      expect({ filter, ...(await inGraphql(filter, reader)) }).toEqual({ filter, ...found });
    }
  });

  it("look for what is free of a window of which a part is claimed", async () => {
    await building.rows("update parking.building set rest_stays_on_offer = true");
    const [, owner, claimer] = readers as [Person, Person, Person];
    const spot = await spotOf(owner, "Parts");
    const window = await windowOf(owner, spot, 1, 9);
    const times = { start_time: hours(3), end_time: hours(5) };
    await claimer.post("/claims", { availability_id: window.id, ...times }, 201);
    await building.rows("update parking.building set rest_stays_on_offer = false");
    for (const [hour, ids] of [
      [2, [window.id]],
      [4, []],
      [6, [window.id]],
    ] as const)
      for (const name of ["free_from", "free_until"]) {
        const filter = { [name]: hours(hour), building_section: "Parts" };
        expect([hour, await inRest(filter, administrator)]).toMatchObject([hour, { ids }]);
        expect([hour, await inGraphql(filter, administrator)]).toMatchObject([hour, { ids }]);
      }
    for (const [from, until, ids] of [
      [1, 2, [window.id]],
      [2, 6, []], // both are free, and what is between them is not
      [6, 8, [window.id]],
    ] as const)
      for (const order of [
        { free_from: hours(from), free_until: hours(until) },
        { free_until: hours(until), free_from: hours(from) },
      ]) {
        const filter = { ...order, building_section: "Parts" };
        expect([from, await inRest(filter, administrator)]).toMatchObject([from, { ids }]);
        expect([from, await inGraphql(filter, administrator)]).toMatchObject([from, { ids }]);
      }
  });

  it("take plain dates and times with an offset, and refuse what is neither", async () => {
    const reader = pick(readers);
    expect(
      await inRest({ overlaps_start: "2101-01-02", overlaps_end: "2101-01-03" }, reader),
    ).toEqual(
      await inRest({ overlaps_start: at(24), overlaps_end: "2101-01-03T02:00:00+02:00" }, reader),
    );
    for (const name of ["overlaps_start", "overlaps_end", "free_from", "free_until"]) {
      const answer = await reader.get(`/availabilities?${name}=tomorrow`);
      expect(complaint(answer)).toEqual(malformed(name));
    }
  });
});
