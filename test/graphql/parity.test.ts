import { afterAll, describe, expect, it } from "@jest/globals";
import { getNamedType, isEnumType, isInputObjectType } from "graphql";
import { opened } from "../support/opened.ts";
import { holdsForAll } from "../support/table.ts";
import { ask, send } from "./ask.ts";
import {
  approved,
  everyRow,
  fieldOfList,
  fieldsOf,
  isValue,
  type Listing,
  listings,
  notApproved,
  openWorld,
  type Row,
  rowsShown,
  snakeCase,
  verdictOf,
} from "./world.ts";

const world = opened(() => openWorld());
afterAll(() => world.building.close());

/** GraphQL shows the same list as REST, or refuses it with the same message. */
async function expectSame(
  name: string,
  listing: Listing,
  args = "",
  filter: Readonly<Record<string, string>> = {},
): Promise<void> {
  const person = world.person(name);
  const verdict = await verdictOf(person, listing, filter);
  const document = `{ list: ${fieldOfList(listing)}${args} { totalCount nodes { id } edges { node { id } } } }`;
  const { body } = await send(world.building, person, document);

  if (!("rows" in verdict)) {
    expect(body.data).toBeUndefined();
    expect(body.errors).toMatchObject([verdict]);
    return;
  }
  const nodes = verdict.rows.map(({ id }) => ({ id }));
  const edges = nodes.map((node) => ({ node }));
  expect(body).toEqual({ data: { list: { totalCount: nodes.length, nodes, edges } } });
}

/** The text that REST takes in a query. */
const asText = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value);

/** The column of a filter. */
const columnOf = (parameter: string): string =>
  ({
    start_date: "start_time",
    end_date: "end_time",
    overlaps_start: "start_time",
    overlaps_end: "end_time",
    free_from: "start_time",
    free_until: "end_time",
  })[parameter] ?? parameter;

/** The ids of the rows of a type that a person sees in REST, their own profile included. */
async function idsShown(name: string, listing: Listing): Promise<ReadonlySet<string>> {
  const person = world.person(name);
  const rows = await rowsShown(person, listing);
  return new Set([...rows.map(({ id }) => id), ...(listing.type === "Profile" ? [person.id] : [])]);
}

const fieldOf = ({ type }: Listing): string => type.charAt(0).toLowerCase() + type.slice(1);

const nodeIdOf = ({ type }: Listing, id: string): string =>
  Buffer.from(JSON.stringify([type, id])).toString("base64");

describe.each(listings)("$type", (listing) => {
  const { type } = listing;

  it("is listed as in REST, in the same order and number", () =>
    holdsForAll([...approved, ...notApproved], (name) => expectSame(name, listing)));

  it("has the values that it has in REST, and no others", () =>
    holdsForAll([...approved, ...notApproved], async (name) => {
      const names = fieldsOf(world, type)
        .filter(isValue)
        .map((field) => field.name)
        .filter((field) => field !== "nodeId");
      const rows = await rowsShown(world.person(name), listing);
      if (rows.length === 0) return;
      const { shown } = await ask<{ shown: { nodes: object[] } }>(
        world.building,
        world.person(name),
        `{ shown: ${fieldOfList(listing)} { nodes { ${names.join(" ")} } } }`,
      );
      const renamed = shown.nodes.map((node) =>
        Object.fromEntries(Object.entries(node).map(([key, value]) => [snakeCase(key), value])),
      );
      // REST leaves out what the specification does not name and has no value.
      const inRest = renamed.map((node, index) =>
        Object.fromEntries(
          Object.entries(node).filter(([key, value]) => value || key in (rows[index] ?? {})),
        ),
      );
      expect(inRest).toEqual(rows);
    }));

  it("is filtered as in REST, by every filter", () =>
    holdsForAll([...approved, ...notApproved], async (name) => {
      const condition = world.schema.getType(`${type}Condition`);
      if (!isInputObjectType(condition)) throw new Error(`${type} has no conditions`);
      const rows = await everyRow(world, listing);
      for (const { name: field, type: fieldType } of Object.values(condition.getFields())) {
        const parameter = snakeCase(field);
        const given = rows.map((row) => row[columnOf(parameter)]).filter((it) => it !== null);
        const values = new Set(given.map(asText));
        for (const value of values) {
          const literal = String(fieldType) === "Boolean" ? value : JSON.stringify(value);
          const args = `(condition: { ${field}: ${literal} })`;
          await expectSame(name, listing, args, { [parameter]: value });
        }
      }
    }));

  it("is the same set of rows in every order", () =>
    holdsForAll([...approved, ...notApproved], async (name) => {
      const orders = world.schema.getType(`${type}OrderBy`);
      if (!isEnumType(orders)) throw new Error(`${type} has no orders`);
      const ids = (await rowsShown(world.person(name), listing)).map(({ id }) => id).toSorted();
      for (const order of ids.length > 0 ? orders.getValues() : []) {
        const { shown } = await ask<{ shown: { nodes: { id: string }[] } }>(
          world.building,
          world.person(name),
          `{ shown: ${fieldOfList(listing)}(orderBy: ${order.name}) { nodes { id } } }`,
        );
        expect(shown.nodes.map(({ id }) => id).toSorted()).toEqual(ids);
      }
    }));

  it("is found by id and by nodeId exactly where REST shows it", () =>
    holdsForAll(approved, async (name) => {
      const shown = await idsShown(name, listing);
      for (const { id } of await everyRow(world, listing)) {
        const expected = shown.has(id) ? { id, nodeId: nodeIdOf(listing, id) } : null;
        expect(
          await ask(
            world.building,
            world.person(name),
            `query ($id: UUID!, $nodeId: ID!) {
               row: ${fieldOf(listing)}(id: $id) { id nodeId }
               node(nodeId: $nodeId) { nodeId ... on ${listing.type} { id } }
             }`,
            { id, nodeId: nodeIdOf(listing, id) },
          ),
        ).toEqual({ row: expected, node: expected });
      }
    }));

  it("has relations only to rows that REST shows", () =>
    holdsForAll(approved, async (name) => {
      for (const field of fieldsOf(world, listing.type).filter((it) => !isValue(it))) {
        const target = String(getNamedType(field.type)).replace(/Connection$/, "");
        // No list has them: test/rest/parking-spots.test.ts
        if (["Contact", "SpotAccess"].includes(target)) continue;
        const targets = listings.find(({ type }) => type === target);
        if (!targets) throw new Error(`${target} is not listed`);
        const isList = String(field.type).includes("Connection");
        const shown = await idsShown(name, targets);
        for (const id of await idsShown(name, listing)) {
          const { row } = await ask<{ row: Related }>(
            world.building,
            world.person(name),
            `query ($id: UUID!) {
               row: ${fieldOf(listing)}(id: $id) {
                 related: ${field.name} ${isList ? "{ totalCount nodes { id } }" : "{ id }"}
               }
             }`,
            { id },
          );
          const related = isList ? (row.related?.nodes ?? []) : [row.related ?? []].flat();
          for (const it of related) expect(shown).toContain(it.id);
          if (isList) expect(row.related?.totalCount).toBe(related.length);
        }
      }
    }));

  it("is refused to who is not approved by nodeId, and by id except for their own profile", () =>
    holdsForAll(notApproved, async (name) => {
      for (const { id } of await everyRow(world, listing)) {
        const document = "query ($nodeId: ID!) { node(nodeId: $nodeId) { nodeId } }";
        const variables = { nodeId: nodeIdOf(listing, id) };
        const byNodeId = await send(world.building, world.person(name), document, variables);
        expect(byNodeId).toMatchObject(accountNotApproved);

        const byId = await send(
          world.building,
          world.person(name),
          `query ($id: UUID!) { row: ${fieldOf(listing)}(id: $id) { id } }`,
          { id },
        );
        if (listing.type !== "Profile") expect(byId).toMatchObject(accountNotApproved);
        else {
          const own = id === world.person(name).id;
          expect(byId.body).toEqual({ data: { row: own ? { id } : null } });
        }
      }
    }));
});

interface Related {
  readonly related:
    | ({ readonly id: string } & { readonly totalCount: number; readonly nodes: { id: string }[] })
    | null;
}

const accountNotApproved = {
  status: 403,
  body: {
    errors: [
      {
        message: "Account not approved",
        extensions: { code: "approved_account_required", status: 403 },
      },
    ],
  },
};

it("relations from the own profile are refused to who is not approved", () =>
  holdsForAll(notApproved, async (name) => {
    for (const field of fieldsOf(world, "Profile").filter((it) => !isValue(it))) {
      const document = `{ ownProfile { ${field.name} { totalCount } } }`;
      expect(await send(world.building, world.person(name), document)).toMatchObject(
        accountNotApproved,
      );
    }
  }));

const aggregated = listings.filter(({ type }) => /^(Spot|Availability|Claim)$/.test(type));

/** The rows that a person sees in REST, with all their columns. */
async function visible(name: string, listing: Listing): Promise<Row[]> {
  const ids = new Set((await rowsShown(world.person(name), listing)).map(({ id }) => id));
  return (await everyRow(world, listing)).filter(({ id }) => ids.has(id));
}

const hoursOf = ({ start_time, end_time }: Row): number =>
  start_time instanceof Date && end_time instanceof Date
    ? (end_time.getTime() - start_time.getTime()) / 3_600_000
    : 0;

const hasHours = ({ type }: Listing): boolean =>
  fieldsOf(world, `${type}Aggregates`).some(({ name }) => name === "hours");

it("exist for spots, windows and claims only", () => {
  const offered = listings.filter(({ type }) => world.schema.getType(`${type}Aggregates`));
  expect(offered).toEqual(aggregated);
});

describe.each(aggregated)("aggregates of $list", (listing) => {
  const { type, list } = listing;

  it("count the rows that REST shows, and no others", () =>
    holdsForAll(approved, async (name) => {
      const rows = await visible(name, listing);
      const columns = fieldsOf(world, `${type}DistinctCountAggregates`).map((field) => field.name);
      const { shown } = await ask<{ shown: object }>(
        world.building,
        world.person(name),
        `{ shown: ${list} { aggregates {
             count ${hasHours(listing) ? "hours" : ""} distinctCount { ${columns.join(" ")} }
           } } }`,
      );
      expect(shown).toEqual({
        aggregates: {
          count: rows.length,
          ...(hasHours(listing) && { hours: rows.map(hoursOf).reduce((a, b) => a + b, 0) }),
          distinctCount: Object.fromEntries(
            columns.map((column) => [
              column,
              String(new Set(rows.map((row) => row[snakeCase(column)])).size),
            ]),
          ),
        },
      });
    }));

  it("group the rows that REST shows, by every grouping", () =>
    holdsForAll(approved, async (name) => {
      const rows = await visible(name, listing);
      const groupings = world.schema.getType(`${type}GroupBy`);
      if (!isEnumType(groupings)) throw new Error(`${type} has no groupings`);
      for (const { name: grouping } of groupings.getValues()) {
        const { shown } = await ask<{ shown: { groups: { keys: string[]; count: number }[] } }>(
          world.building,
          world.person(name),
          `{ shown: ${list} { groups: groupedAggregates(groupBy: [${grouping}]) { keys count } } }`,
        );
        const sections = new Map(
          (await everyRow(world, { type: "Spot", list: "spots", path: "" })).map((spot) => [
            spot.id,
            spot.building_section,
          ]),
        );
        const counts = new Map<string, number>();
        for (const row of rows) {
          const key = keyOf(grouping, row, sections);
          counts.set(key, (counts.get(key) ?? 0) + 1);
        }
        const expected = [...counts].map(([key, count]) => ({ keys: [key], count }));
        expect(shown.groups).toHaveLength(expected.length);
        expect(shown.groups).toEqual(expect.arrayContaining(expected));
      }
    }));

  it("are refused to who is not approved", () =>
    holdsForAll(notApproved, async (name) => {
      for (const aggregate of ["totalCount", "aggregates { count }"]) {
        const document = `{ ${list} { ${aggregate} } }`;
        expect(await send(world.building, world.person(name), document)).toMatchObject({
          status: 403,
          body: { errors: [{ extensions: { code: "approved_account_required" } }] },
        });
      }
    }));
});

/** The key of a row's group. */
function keyOf(grouping: string, row: Row, sections: ReadonlyMap<string, unknown>): string {
  if (grouping === "DAY" && row.start_time instanceof Date) {
    return row.start_time.toISOString().slice(0, 10);
  }
  if (grouping === "BUILDING_SECTION" && typeof row.spot_id === "string") {
    return String(sections.get(row.spot_id));
  }
  return String(row[grouping.toLowerCase()]);
}
