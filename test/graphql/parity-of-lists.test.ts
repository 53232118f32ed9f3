import { afterAll, describe, expect, it } from "@jest/globals";
import { isEnumType, isInputObjectType } from "graphql";
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
});
