import { beforeAll, describe, expect, it } from "@jest/globals";
import { getIntrospectionQuery } from "graphql";
import { spotOf, useBuilding, windowOf } from "../support/building.ts";
import { send } from "./ask.ts";

const building = useBuilding({ rateLimits: { perMinute: 1000, perHour: 0 } });
const resident = building.shared("resident");
const newcomer = building.shared("newcomer");
beforeAll(async () => {
  for (let i = 0; i < 5; i++) await windowOf(resident, await spotOf(resident));
});

const refused = { status: 400, body: { errors: [{ extensions: { status: 400 } }] } };

const aliases = (count: number, field: string, length = 60): string =>
  Array.from({ length: count }, (_, i) => `${`a${i}`.padEnd(length, "_")}: ${field}`).join(" ");

/** The points that a document costs. */
async function pointsOf(query: string): Promise<number> {
  const remaining = async (document: string): Promise<number> => {
    const { status, headers } = await send(building, resident, document);
    expect(status).toBe(200);
    return Number(headers.get("X-RateLimit-Remaining"));
  };
  return (await remaining("{ __typename }")) - (await remaining(query));
}

describe("a response name", () => {
  it.each([
    ["of 95,000 characters", "{ spots { nodes { NAME: id } } }", 95_000],
    ["of 65 characters", "{ spots { nodes { NAME: id } } }", 65],
    ["of 65 characters in a fragment", "{ ...F } fragment F on Query { NAME: __typename }", 65],
    ["of 65 characters in the schema itself", "{ __schema { types { NAME: name } } }", 65],
  ])("%s is refused", async (_what, document, length) => {
    const query = document.replace("NAME", "a".repeat(length));

    expect(await send(building, resident, query)).toMatchObject(refused);
  });

  it("may have 64 characters", async () => {
    const { body } = await send(building, resident, `{ ${"a".repeat(64)}: __typename }`);
    expect(body.data).toEqual({ ["a".repeat(64)]: "Query" });
  });

  it("is charged", async () => {
    const short = await pointsOf(`{ spots(first: 200) { nodes { ${aliases(20, "id", 3)} } } }`);
    const long = await pointsOf(`{ spots(first: 200) { nodes { ${aliases(20, "id", 64)} } } }`);

    expect(long).toBeGreaterThan(short);
  });
});

describe("the answer to introspection", () => {
  it.each([
    ["aliases of a list", `{ __schema { types { fields { ${aliases(200, "name")} } } } }`],
    [
      "aliases below a type's fields' types",
      `{ __schema { types { fields { type { fields { ${aliases(60, "name")} } } } } } }`,
    ],
    [
      "aliases of types",
      `{ ${aliases(60, '__type(name: "Query") { fields { name args { name } } }')} }`,
    ],
    [
      "a fragment that is first used where it is cheap",
      `{ __schema { types { ...F } queryType { fields { type { ...F } } } } }
       fragment F on __Type { fields { ${aliases(100, "name")} } }`,
    ],
  ])("is bounded before it is made: %s", async (_what, query) => {
    expect(await send(building, newcomer, query)).toMatchObject(refused);
  });

  it("is given to the tools' own query", async () => {
    const { status, body } = await send(building, newcomer, getIntrospectionQuery());
    expect(status).toBe(200);
    expect(body.errors).toBeUndefined();
  });
});
