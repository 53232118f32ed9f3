import { afterAll, describe, expect, it } from "@jest/globals";
import { getNamedType } from "graphql";
import { opened } from "../support/opened.ts";
import { holdsForAll } from "../support/table.ts";
import { ask, send } from "./ask.ts";
import {
  approved,
  everyRow,
  fieldsOf,
  isValue,
  type Listing,
  listings,
  notApproved,
  openWorld,
  rowsShown,
} from "./world.ts";

const world = opened(() => openWorld());
afterAll(() => world.building.close());

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
