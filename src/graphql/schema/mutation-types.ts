import type { Member } from "../../rest/answers.ts";
import type { Summaries } from "../../rest/check.ts";
import type { FieldSchema } from "../../rest/fields.ts";
import { PathId } from "../../rest/requests.ts";
import type { Route } from "../../rest/routes.ts";
import { tables } from "./tables.ts";

/** One mutation: the route whose function it calls, and the names it has in GraphQL. */
export interface Mutation {
  readonly route: Route;
  readonly name: string;
  readonly inputType: string;
  readonly payloadType: string;
  /** The fields of the input, by the names they have in requests. */
  readonly input: Readonly<Record<string, FieldSchema>>;
  readonly required: readonly string[];
  /** The members of the response that GraphQL shows. */
  readonly payload: Readonly<Record<string, Member>>;
}

export const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The mutation of a route that changes something. */
export function mutationOf(route: Route): Mutation {
  const name = camelCase(route.call);
  const path = route.path.includes(":id") ? PathId : undefined;
  return {
    route,
    name,
    inputType: `${capitalised(name)}Input`,
    payloadType: `${capitalised(name)}Payload`,
    input: { ...path?.properties, ...route.body?.properties },
    required: [...(path?.required ?? []), ...(route.body?.required ?? [])],
    payload: Object.fromEntries(
      Object.entries(route.answer.properties).filter(([, member]) => outputType(member)),
    ),
  };
}

/** The table that a member of a response is a row of. */
export const tableOf = (member: Member): string | undefined =>
  Object.keys(tables).find((name) => tables[name]?.shows === member);

/** The types of the mutation in GraphQL's own language. */
export function typeDefinitions(
  { route, name, ...mutation }: Mutation,
  summaries: Summaries,
): string {
  const inputs = Object.entries(mutation.input).map(([field, schema]) => {
    const mark = mutation.required.includes(field) ? "!" : "";
    return `${quoted(schema.description)} ${camelCase(field)}: ${scalarOf(schema)}${mark}`;
  });
  const outputs = Object.entries(mutation.payload).map(
    ([field, member]) => `${quoted(member.description)} ${camelCase(field)}: ${outputType(member)}`,
  );
  return `
    input ${mutation.inputType} { ${inputs.join("\n")} }
    type ${mutation.payloadType} { ${outputs.join("\n")} }
    extend type Mutation {
      ${quoted(summaries.get(route.call) ?? "")} ${name}(input: ${mutation.inputType}!): ${mutation.payloadType}
    }`;
}

/** Undefined for what GraphQL does not show. */
function outputType(member: Member): string | undefined {
  const table = tableOf(member);
  if (table !== undefined) return tables[table]?.type;
  return member.type === "object" || member.type === "array" ? undefined : scalarOf(member);
}

function scalarOf({ type, format }: FieldSchema): string {
  if (format === "uuid") return "UUID";
  if (format === "date-time") return "Datetime";
  return { string: "String", boolean: "Boolean", integer: "Int" }[type];
}

const quoted = (text: string): string => JSON.stringify(text);
