import { describe, expect, it } from "@jest/globals";
import { openBuilding, useBuilding } from "../support/building.ts";
import { send } from "./ask.ts";

const building = useBuilding();
const newcomer = building.shared("newcomer");

const many = (count: number, part: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => part(i)).join(" ");

const create = "mutation ($input: CreateSpotInput!) { createSpot(input: $input) { spot { id } } }";
const keys = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));

interface Bad {
  readonly what: string;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

const bad: readonly Bad[] = [
  { what: "unknown keys in a variable", query: create, variables: { input: keys(7_000) } },
  { what: "a few unknown keys in a variable", query: create, variables: { input: keys(40) } },
  { what: "unknown variables", query: "{ __typename }", variables: keys(7_000) },
  {
    what: "a long text in a variable",
    query: create,
    variables: { input: "SECRET".repeat(10_000) },
  },
  {
    what: "many long texts in a variable",
    query: create,
    variables: { input: Array(90).fill("SECRET".repeat(150)) },
  },
  {
    what: "a long enum value in a variable",
    query: "query ($o: [SpotOrderBy!]) { spots(orderBy: $o) { nodes { id } } }",
    variables: { o: ["SECRET".repeat(10_000)] },
  },
  {
    what: "a deep variable",
    query: create,
    variables: { input: JSON.parse(`${"[".repeat(4_000)}${"]".repeat(4_000)}`) },
  },
  {
    what: "unknown keys in the document",
    query: `mutation { createSpot(input: { ${many(600, (i) => `k${i}: 1`)} }) { spot { id } } }`,
  },
  {
    what: "a long text in the document",
    query: `mutation { createSpot(input: "${"SECRET".repeat(10_000)}") { spot { id } } }`,
  },
  {
    what: "a long block of text in the document",
    query: `{ spots(condition: { ownerId: """${"SECRET ".repeat(10_000)}""" }) { totalCount } }`,
  },
  { what: "a long field name", query: `{ ${"SECRET".repeat(10_000)} }` },
  { what: "a long number", query: `{ spots(first: ${"9".repeat(90_000)}) { totalCount } }` },
  { what: "a syntax error at a long text", query: `{ spots("${"SECRET".repeat(10_000)}") }` },
  {
    what: "ten errors after 49,000 line breaks",
    query: `${"\n".repeat(49_000)}{ ${many(10, (i) => `unknown${i}`)} }`,
  },
  { what: "many unknown fields", query: `{ ${many(490, (i) => `unknown${i}`)} }` },
];

describe("the answer to a bad document", () => {
  it.each(bad)("is short: $what", async ({ query, variables }) => {
    const { status, body } = await send(building, newcomer, query, variables);

    expect(status).toBe(400);
    expect(body.errors?.length).toBeLessThanOrEqual(11);
    expect(JSON.stringify(body).length).toBeLessThan(5_000);
    for (const { message } of body.errors ?? []) {
      expect(message.length).toBeLessThanOrEqual(200);
      expect(message).not.toContain("SECRETSECRETSECRETSECRET");
    }
  });

  it("has no more errors than it has words for, when fields fail", async () => {
    const resident = await building.resident();
    const query = `{ ${many(18, (i) => `a${i}: spots(after: "x") { nodes { id } }`)} }`;
    const { body } = await send(building, resident, query);

    expect(body.errors?.length).toBe(10);
  });
});

it("a document of more than 5,000 lines is refused before its errors are placed in it", async () => {
  const document = (lines: number) => `${"\n".repeat(lines - 1)}{ __typename }`;

  expect((await send(building, newcomer, document(5_000))).status).toBe(200);
  expect((await send(building, newcomer, document(5_001))).body.errors).toMatchObject([
    { message: "The document must not have more than 5000 lines" },
  ]);
});

it.each([
  ["a fragment", "a fragment that is not used"],
  ["an operation", "other operations with the same fragment"],
])("validation does not begin with what %s hides: %s", async (what) => {
  const lists = many(490, (i) => `a${i}: spots { totalCount }`);
  const query =
    what === "a fragment"
      ? `{ __typename } fragment F on Query { ${lists} }`
      : `query A { __typename } ${many(90, (i) => `query B${i} { ...F }`)}
         fragment F on Query { ${many(50, (i) => `a${i}: ownProfile { id }`)} }`;
  const { status, body } = await send(building, newcomer, query);

  expect(status).toBe(400);
  expect(body.errors).toHaveLength(1); // it is refused for its size, before it is validated
});

it("with introspection off no error suggests a name", async () => {
  const closed = await openBuilding({ graphql: { introspection: false } });
  const person = await closed.resident();
  const answers = await Promise.all([
    send(closed, person, "{ spotz { id } }"),
    send(closed, person, "{ spots(condition: { isVerifed: true }) { totalCount } }"),
    send(closed, person, create, { input: { spotNumbr: "1", buildingSection: "N" } }),
    send(closed, person, "query ($o: [SpotOrderBy!]) { spots(orderBy: $o) { totalCount } }", {
      o: ["SPOT_NUMBER_ASCC"],
    }),
  ]);

  for (const { status, body } of answers) {
    expect(status).toBe(400);
    expect(body.errors?.length).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toContain("Did you mean");
  }
  await closed.close();
});
