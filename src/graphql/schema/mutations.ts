import {
  access,
  context,
  type FieldArgs,
  type ObjectStep,
  object,
  type Step,
  sideEffect,
} from "postgraphile/grafast";
import { extendSchema } from "postgraphile/utils";
import type { DescribedRoute } from "../../contract/described.ts";
import type { FieldSchema } from "../../contract/fields.ts";
import { type Member, PathId } from "../../contract/schemas.ts";
import { tables } from "./tables.ts";

/** The response body of a route that writes (specification, Endpoints). */
export type Body = Readonly<Record<string, unknown>>;

/** One mutation: the route whose function it calls, and its names in GraphQL. */
export interface Mutation {
  readonly route: DescribedRoute;
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

/** The table that a member of a response is a row of. */
const tableOf = (member: Member): string | undefined =>
  "title" in member
    ? Object.keys(tables).find((name) => tables[name]?.shows.title === member.title)
    : undefined;

/** The type of a member in GraphQL; undefined where GraphQL does not show it. */
function outputType(member: Member): string | undefined {
  const table = tableOf(member);
  if (table !== undefined) return tables[table]?.type;
  return member.type === "object" || member.type === "array" ? undefined : scalarOf(member);
}

function scalarOf({ type, format }: FieldSchema): string {
  if (format === "uuid") return "UUID";
  if (format === "date-time") return "Datetime";
  return { string: "String", boolean: "Boolean", integer: "Int", number: "Float" }[type];
}

/** The mutation of a route that writes. */
function mutationOf(route: DescribedRoute): Mutation {
  const name = camelCase(route.call);
  const path = route.path.includes(":id") ? PathId : undefined;
  const given = route.body ?? route.query;
  return {
    route,
    name,
    inputType: `${capitalised(name)}Input`,
    payloadType: `${capitalised(name)}Payload`,
    input: { ...path?.properties, ...given?.properties },
    required: [...(path?.required ?? []), ...(given?.required ?? [])],
    payload: Object.fromEntries(
      Object.entries(route.answer.properties).filter(([, member]) => outputType(member)),
    ),
  };
}

/** One for every route that writes. */
const mutationsOf = (routes: readonly DescribedRoute[]): readonly Mutation[] =>
  routes.filter(({ method }) => method !== "GET").map(mutationOf);

type Payload = ObjectStep<{ body: Step<Body> }>;

/** The mutations: each calls the function of its route, then reads the row that it wrote. */
export function mutationsPlugin(routes: readonly DescribedRoute[]) {
  const mutations = mutationsOf(routes);
  return extendSchema((build) => {
    const planMember = (name: string, member: Member) => {
      const resource = build.pgResources[tableOf(member) ?? ""];
      return ($payload: Payload) => {
        const $value = access($payload.get("body"), [name]);
        return resource ? resource.get({ id: access($value, ["id"]) }) : $value;
      };
    };
    const plansOf = ({ payload }: Mutation) => ({
      plans: mapEntries(payload, (name, member) => [camelCase(name), planMember(name, member)]),
    });

    return {
      typeDefs: mutations.map((it) => typeDefinitions(it)).join("\n"),
      objects: {
        Mutation: { plans: Object.fromEntries(mutations.map((it) => [it.name, planMutation(it)])) },
        ...Object.fromEntries(mutations.map((it) => [it.payloadType, plansOf(it)])),
      },
    };
  });
}

const planMutation =
  ({ route, input: fields }: Mutation) =>
  (_root: Step, args: FieldArgs) => {
    const names = Object.keys(fields);
    const steps = [context().get("mutate"), args.getRaw("input")] as const;
    const $body = sideEffect(steps, ([mutate, input]) => mutate(route.call, renamed(input, names)));
    return object({ body: $body });
  };

/** The fields of the input, by the names that they have in REST requests. */
function renamed(input: object, names: readonly string[]): Record<string, unknown> {
  const given = new Map(Object.entries(input));
  return Object.fromEntries(
    names
      .filter((name) => given.has(camelCase(name)))
      .map((name) => [name, given.get(camelCase(name))]),
  );
}

const mapEntries = <From, To>(
  record: Readonly<Record<string, From>>,
  map: (name: string, value: From) => readonly [string, To],
): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => map(name, value)));

/** The types of the mutation, in GraphQL's schema language. */
function typeDefinitions({ route, name, ...mutation }: Mutation): string {
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
      ${quoted(route.summary)} ${name}(input: ${mutation.inputType}!): ${mutation.payloadType}
    }`;
}

const quoted = (text: string): string => JSON.stringify(text);
