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
import { except } from "../support/exceptions.ts";
import { favoriteOf } from "../support/favorite-spots.ts";
import { patternOf, threeDays } from "../support/patterns.ts";
import type { Failure, Person } from "../support/person.ts";
import { reportOf } from "../support/spot-reports.ts";
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
  "a concierge",
  "an administrator",
];
export const notApproved = ["an unapproved resident", "a newcomer"];

/** Two owners with claims on each other's spots, and a third person with a claim. */
export async function openWorld(): Promise<World> {
  const building = await openBuilding();
  const people = new Map<string, Person>();
  for (const name of approved) {
    const rights = { "an administrator": "administrator", "a concierge": "concierge" } as const;
    const right = name in rights ? rights[name as keyof typeof rights] : "resident";
    people.set(name, await building[right]());
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
  await favoriteOf(other, north);
  await reportOf(owner, north);
  await patternOf(owner, threeDays(north));
  await except(owner, "keep", north, 50, 60);
  await except(other, "keep", null, 70, 80);
  return {
    building,
    person,
    schema: await createSchema(building.service.pool, await describedRoutes(building.service.pool)),
  };
}

/** A row as REST shows it. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** A GraphQL type whose rows REST also lists. */
export interface Listing {
  readonly type: string;
  /** The name of the member of REST's answer, and of the table. */
  readonly list: string;
  readonly path: string;
}

export const listings: readonly Listing[] = [
  { type: "Profile", list: "profiles", path: "/admin/profiles" },
  { type: "Spot", list: "spots", path: "/parking-spots" },
  { type: "Availability", list: "availabilities", path: "/availabilities" },
  { type: "Pattern", list: "patterns", path: "/patterns" },
  { type: "Claim", list: "claims", path: "/claims" },
  { type: "Exception", list: "exceptions", path: "/exceptions" },
  { type: "Notification", list: "notifications", path: "/notifications" },
  { type: "SpotReport", list: "spot_reports", path: "/spot-reports" },
  { type: "FavoriteSpot", list: "favorite_spots", path: "/favorite-spots" },
  { type: "Wish", list: "wishes", path: "/wishes" },
];

/** The field of Query. */
export const fieldOfList = ({ list }: Listing): string =>
  list.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** REST's answer to a list: its rows, or the error that GraphQL should have too. */
export type Verdict =
  | { readonly rows: readonly Row[] }
  | { readonly message: string; readonly extensions: { readonly status: number } };

export async function verdictOf(
  person: Person,
  { list, path }: Listing,
  filter: Readonly<Record<string, string>> = {},
): Promise<Verdict> {
  const query = new URLSearchParams({ limit: "200", ...filter });
  const { status, body } = await person.get<Failure & Readonly<Record<string, Row[]>>>(
    `${path}?${query}`,
  );
  return status === 200
    ? { rows: body[list] ?? [] }
    : { message: body.error, extensions: { status } };
}

/** The rows of a list in REST; none where it refuses. */
export async function rowsShown(person: Person, listing: Listing): Promise<readonly Row[]> {
  const verdict = await verdictOf(person, listing);
  return "rows" in verdict ? verdict.rows : [];
}

/** Every row of the table, read without policies. */
export const everyRow = ({ building }: World, { list }: Listing): Promise<Row[]> =>
  building.rows<Row>(`select * from parking.${list} order by id`);

export function objectType({ schema }: World, name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`${name} is not an object type`);
  return type;
}

export const fieldsOf = (world: World, type: string): readonly GraphQLField<unknown, unknown>[] =>
  Object.values(objectType(world, type).getFields());

export const isValue = (field: GraphQLField<unknown, unknown>): boolean =>
  !isCompositeType(getNamedType(field.type));

export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
