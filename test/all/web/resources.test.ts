import { readFile } from "node:fs/promises";
import { describe, expect, it } from "@jest/globals";
import type { FieldSchema } from "../../../src/contract/fields.ts";
import { routes } from "../../../src/contract/routes.ts";
import { isField, type Member, type ResourceSchema } from "../../../src/contract/schemas.ts";

const source = await readFile(
  new URL("../../../src/web/api/resources.ts", import.meta.url),
  "utf8",
);

/** The interfaces of the page, as they are written: each with the types of its members. */
const interfaces = [...source.matchAll(/export interface (\w+) \{([^}]*)\}/g)].map(
  ([, name = "", body = ""]) =>
    [name, [...body.matchAll(/readonly (\w+): ([^;]+);/g)].map(([, ...it]) => it)] as const,
);

const typeNames = new Map(
  [...source.matchAll(/export type (\w+) = ([^;]+);/g)].map(([, ...it]) => [it[0], it[1]]),
);

/** The resources with a name among a member of an answer and what it consists of. */
function resourcesIn(member: Member): readonly ResourceSchema[] {
  if (isField(member)) return [];
  if (member.type === "array") return resourcesIn(member.items);
  return [member, ...Object.values(member.properties).flatMap(resourcesIn)];
}

const resources = new Map(
  routes.flatMap(({ answer }) => resourcesIn(answer)).map((it) => [it.title, it]),
);

function fieldOf(resource: string, member: string): FieldSchema {
  const field = resources.get(resource)?.properties[member];
  if (field === undefined || !isField(field)) {
    throw new Error(`${resource} of the API has no field ${member}`);
  }
  return field;
}

describe.each(interfaces)("%s of the page", (name, members) => {
  it.each(members)("has the member %s: %s as the API describes it", (member = "", type = "") => {
    const field = fieldOf(name, member);
    const [, each] = /^readonly (\w+)\[\]$/.exec(type) ?? [];
    const values = typeNames.get(each ?? type);
    if (each !== undefined) {
      const words = field.items && "enum" in field.items ? field.items.enum : undefined;
      expect(values).toBe(words?.map((value) => JSON.stringify(value)).join(" | "));
      return;
    }

    const typeOfField = field.type === "integer" ? "number" : field.type;
    if (values === undefined)
      expect(type).toBe(field.nullable ? `${typeOfField} | null` : typeOfField);
    else expect(values).toBe(field.enum?.map((value) => JSON.stringify(value)).join(" | "));
  });
});
