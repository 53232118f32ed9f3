import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { Validator } from "@seriousme/openapi-schema-validator";
import { templateOf } from "../../src/contract/route.ts";
import { routes } from "../../src/contract/routes.ts";
import { isDate, isDateTime, isUuid, longest } from "../../src/formats.ts";
import type { Operation } from "../../src/openapi/types.ts";
import { byMail, description, underDevelopment } from "../support/described.ts";
import { objection } from "../support/schemas.ts";
import { type Example, exampleOf, failuresIn, valuesIn } from "./examples.ts";

describe("the description", () => {
  it.each([
    ["in production", description],
    ["under development", underDevelopment],
    ["with the sign-in by mail", byMail],
  ])("is OpenAPI 3.0 %s, says another's validator", async (_case, document) => {
    const validator = new Validator({ strict: false });

    expect(await validator.validate(structuredClone({ ...document }))).toEqual({ valid: true });
    expect(validator.version).toBe("3.0");
  });

  it("has every endpoint and no other but itself", () => {
    const described = Object.entries(description.paths).flatMap(([path, { parameters, ...item }]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const existing = routes.map(({ method, path }) => `${method} ${templateOf(path)}`);

    expect(described.toSorted()).toEqual([...existing, "GET /openapi.json"].toSorted());
  });

  it("says of each endpoint what it does", () => {
    const operations = Object.values(description.paths).flatMap(({ parameters, ...item }) =>
      Object.values(item).map((operation: Operation) => operation),
    );

    expect(operations.filter(({ summary }) => summary === "")).toEqual([]);
  });

  it("explains the tags that it uses, and no others", () => {
    const used = routes.filter(({ bySecret }) => !bySecret).map(({ path }) => path.split("/")[1]);

    expect(new Set(description.tags.map(({ name }) => name))).toEqual(
      new Set([...used, "openapi.json"]),
    );
  });

  it.each([
    "Signing in",
    "Limits",
    "Failures",
    "Sending a request again",
    "Two people at once",
    "Lists",
    "Texts and times",
    "GraphQL",
  ])("explains what all operations share: %s", (heading) => {
    expect(description.info.description).toContain(`## ${heading}\n`);
  });

  it("explains each response and header that operations share", () => {
    const { responses, headers } = description.components;
    const texts = [...Object.values(responses), ...Object.values(headers)].map(
      (it) => it.description,
    );

    expect(texts.filter((text) => !description.info.description.includes(text))).toEqual([]);
  });

  it("has only formats that OpenAPI or JSON Schema knows", () => {
    const formats = JSON.stringify(description).matchAll(/"format":"([^"]+)"/g);
    const standard = ["date", "date-time", "email", "int32", "int64", "uuid"];

    expect(
      [...formats].map(([, name = ""]) => name).filter((it) => !standard.includes(it)),
    ).toEqual([]);
  });

  it("gives no schema a name that means something else in JavaScript", () => {
    expect(
      Object.keys(description.components.schemas).filter((name) => name in globalThis),
    ).toEqual([]);
  });

  it("says where to sign in under development only", () => {
    expect(Object.keys(description.components.securitySchemes)).toEqual(["token"]);
    expect(underDevelopment.components.securitySchemes.signIn).toMatchObject({
      flows: { authorizationCode: { authorizationUrl: "/identity/auth" } },
    });
  });

  it("refers to nothing that is not there, and has nothing that is not referred to", () => {
    const text = JSON.stringify(description);
    const targets = [...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, it]) => it);
    const { schemas, responses, headers, parameters } = description.components;
    const components = Object.entries({ schemas, responses, headers, parameters });
    const names = components.flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `${kind}/${name}`),
    );

    // What is said of paths and methods that no operation is about: the text refers to them.
    const ofNoOperation = ["responses/UnknownPath", "responses/MethodNotAllowed"];
    expect(new Set([...targets, ...ofNoOperation])).toEqual(new Set(names));
  });
});

it.each([
  ["date-time", isDateTime, "2030-01-01T10:00:00.123456789+01:00", "0+01:00"],
  ["date", isDate, "2030-01-01", "0"],
  ["uuid", isUuid, "0197e2b0-6f1e-7c3a-9d52-5b8f0a1c2d3e", "0"],
] as const)(
  "the longest text of a format of a %s is one that the service takes",
  (format, isGood, text, end) => {
    expect(text).toHaveLength(longest[format]);
    expect(isGood(text)).toBe(true);
    expect(isGood(text.replace(/\+01:00$/, "") + end)).toBe(false);
  },
);

describe("the pattern of texts", () => {
  const { NewSpot } = description.components.schemas;
  const spotNumber = NewSpot && "properties" in NewSpot ? NewSpot.properties?.spot_number : {};
  const pattern = (spotNumber && "pattern" in spotNumber && spotNumber.pattern) || "missing";

  it.each([
    ["with the flag u", new RegExp(pattern, "u")],
    ["without it", new RegExp(pattern)],
  ])("means the same %s", (_case, texts) => {
    for (const text of ["A-101", "Caves p{C}", "Garage 🚗", "Größe"]) expect(text).toMatch(texts);
    for (const text of ["a\nb", "\u0000", "\u2028", "🚗".slice(0, 1), "🚗".slice(1)]) {
      expect(text).not.toMatch(texts);
    }
  });
});

describe("the examples", () => {
  const objectionsTo = (examples: readonly Example[]) =>
    examples.flatMap(({ schema, value }) => objection(schema, value) ?? []);

  it.each(Object.entries(description.components.schemas))("make up a whole %s", (_name, schema) => {
    expect(objection(schema, exampleOf(schema, description))).toBeUndefined();
  });

  it("of parameters and headers are good ones", () => {
    expect(objectionsTo(valuesIn(description))).toEqual([]);
  });

  it("of failures are such bodies", () => {
    expect(objectionsTo(failuresIn(description))).toEqual([]);
  });

  it("of failures quote the rules and the service", () => {
    const sources = [...filesOf("sql", ".sql"), ...filesOf("src", ".ts")]
      .filter((file) => !file.startsWith(join("src", "openapi")))
      .map((file) => readFileSync(file, "utf8"))
      .join();
    const errors = failuresIn(description).map(({ value }) => value.error);

    expect(errors.filter((error) => !sources.includes(error))).toEqual([]);
    expect(errors).toContain("You cannot claim your own parking spot");
  });
});

const filesOf = (folder: string, extension: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(extension))
    .map((file) => join(folder, file));
