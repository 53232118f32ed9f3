import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
} from "graphql";
import { describedRoutes } from "../../src/contract/described.ts";
import { createSchema } from "../../src/graphql/schema/schema.ts";
import { type Building, claimOf, openBuilding, spotOf, windowOf } from "../support/building.ts";
import type { Failure, Person } from "../support/person.ts";
import { wishOf } from "../support/wishes.ts";

/** People who share spots with each other, and people who do not. */
export interface World {
  readonly building: Building;
  readonly schema: GraphQLSchema;
  person(name: string): Person;
}

/** The people who see rows. */
export const approved = [
  "an owner",
  "a claimer",
  "a stranger",
  "another owner",
  "an administrator",
];
export const notApproved = ["an unapproved resident", "a newcomer"];

/** Two owners with claims on each other's spots, and a third person with a claim. */
export async function openWorld(): Promise<World> {
  const building = await openBuilding();
  const people = new Map<string, Person>();
  for (const name of approved) {
    const isAdministrator = name === "an administrator";
    people.set(name, await (isAdministrator ? building.administrator() : building.resident()));
  }
  people.set("an unapproved resident", await building.unapproved());
  people.set("a newcomer", await building.newcomer());
  const person = (name: string): Person => {
    const found = people.get(name);
    if (!found) throw new Error(`no person is called ${name}`);
    return found;
  };

  const [owner, other] = [person("an owner"), person("another owner")];
  const north = await spotOf(owner, "North");
  const south = await spotOf(other, "South");
  await claimOf(person("a claimer"), await windowOf(owner, north, 1, 5));
  await claimOf(other, await windowOf(owner, north, 5, 7));
  await claimOf(owner, await windowOf(other, south, 30, 40));
  await windowOf(other, south, 2, 4);
  await wishOf(other);
  return {
    building,
    person,
    schema: await createSchema(building.service.pool, await describedRoutes(building.service.pool)),
  };
}
