import { expect, it, jest } from "@jest/globals";
import { isObjectType, printSchema } from "graphql";
import { describedRoutes } from "../../src/contract/described.ts";
import { createSchema } from "../../src/graphql/schema/schema.ts";
import { useBuilding } from "../support/building.ts";
import { ask } from "./ask.ts";

const building = useBuilding();

it("the schema speaks of no argument that its lists do not have", async () => {
  const schema = await createSchema(
    building.service.pool,
    await describedRoutes(building.service.pool),
  );
  const fields = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()));
  const known = new Set(fields.flatMap(({ args }) => args.map(({ name }) => name)));
  const paging = ["first", "last", "before", "after", "offset"];
  const absent = paging.filter((name) => !known.has(name));

  expect(absent).toEqual(["last", "before"]);
  const text = printSchema(schema);
  expect(
    text.match(
      new RegExp(`.*[\`/](${absent.join("|")})\\b.*|.*\\b(${absent.join("|")})[\`/].*`, "g"),
    ),
  ).toBeNull();
  expect(text).toContain("(ignoring after/first/offset)");
});

it("no relation has a name that is made of a foreign key", async () => {
  const schema = await createSchema(
    building.service.pool,
    await describedRoutes(building.service.pool),
  );
  const fields = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.keys(type.getFields()).map((name) => `${type.name}.${name}`));
  expect(fields).toContain("FavoriteSpot.spot");
  expect(fields.filter((name) => /By\w*Id/.test(name))).toEqual([]);
});

it("the first condition prints nothing, which would stand between the lines of the log", async () => {
  const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
  const person = await building.resident();
  await ask(building, person, '{ claims(condition: { startDate: "2027-01-01" }) { totalCount } }');

  expect(warn.mock.calls).toEqual([]);
  warn.mockRestore();
});

it("has nothing of the sign-in by mail", async () => {
  const schema = await createSchema(
    building.service.pool,
    await describedRoutes(building.service.pool),
  );
  const shown = Object.values(schema.getTypeMap()).flatMap((type) => [
    type.name,
    ...(isObjectType(type) ? Object.keys(type.getFields()) : []),
  ]);
  const bare = (name: string) => name.replaceAll("_", "").toLowerCase();
  const hidden = await building.rows<{ name: string }>(
    `with named (schema, name) as (
       select relnamespace::regnamespace::text, relname from pg_class where relkind = 'r'
        union
       select pronamespace::regnamespace::text, proname from pg_proc
     )
     select name from named where schema = 'identity'
     except
     select name from named where schema in ('api', 'parking')`,
  );
  expect(hidden.length).toBeGreaterThan(20);
  const names = new Set(hidden.flatMap(({ name }) => [bare(name), bare(name).replace(/s$/, "")]));
  expect(shown.filter((name) => names.has(bare(name)))).toEqual([]);
});
