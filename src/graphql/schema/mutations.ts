import {
  access,
  context,
  type FieldArgs,
  lambda,
  type ObjectStep,
  object,
  type Step,
  sideEffect,
} from "postgraphile/grafast";
import { extendSchema } from "postgraphile/utils";
import type { DescribedRoute } from "../../contract/described.ts";
import type { FieldSchema } from "../../contract/fields.ts";
import { inputOf } from "../../contract/route.ts";
import { isField, type Member, type ObjectSchema } from "../../contract/schemas.ts";
import { tables } from "./tables.ts";

/** The response body of a route that writes (specification, Endpoints). */
export type Body = Readonly<Record<string, unknown>>;

/** A mutation: its name in GraphQL, and the route whose function it calls. */
export interface Mutation {
  readonly route: DescribedRoute;
  readonly name: string;
  /**
   * The prefix of the names of its types: CreateClaim for CreateClaimInput and CreateClaimPayload.
   */
  readonly type: string;
  /** Its fields have the same names as in requests. */
  readonly input: ObjectSchema;
  /** The members of the response that GraphQL shows. */
  readonly payload: readonly (readonly [name: string, member: Member])[];
}

export const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** The table of which a member of a response is a row. */
const tableOf = (member: Member): string | undefined =>
  "title" in member
    ? Object.keys(tables).find((name) => tables[name]?.shows.title === member.title)
    : undefined;

/** The type of a member in GraphQL; undefined if GraphQL does not show it. */
function outputType(member: Member): string | undefined {
  const table = tableOf(member);
  if (table !== undefined) return tables[table]?.type;
  return isField(member) ? scalarOf(member) : undefined;
}

/** @returns undefined for objects, which only REST takes */
function scalarOf({ type, format, items }: FieldSchema): string | undefined {
  if (type === "array") {
    const item = items?.type !== "object" && items && scalarOf(items);
    return item ? `[${item}!]` : undefined;
  }
  if (type === "object") return undefined;
  if (format === "uuid") return "UUID";
  if (format === "date-time") return "Datetime";
  return { string: "String", boolean: "Boolean", integer: "Int", number: "Float" }[type];
}

/** The mutation of a route that writes. */
function mutationOf(route: DescribedRoute): Mutation {
  const name = camelCase(route.call);
  return {
    route,
    name,
    type: name.charAt(0).toUpperCase() + name.slice(1),
    input: inputOf(route),
    payload: Object.entries(route.answer.properties).filter(([, member]) => outputType(member)),
  };
}

type Payload = ObjectStep<{ body: Step<Body>; input: Step<Body> }>;

/** Whether GraphQL shows the table of the mutation. */
const isShown = ({ route, payload }: Mutation): boolean =>
  payload.length > 0 &&
  ((route.table ?? "") in tables || payload.some(([, member]) => tableOf(member) !== undefined));

/** The mutations. Each calls the function of its route, then reads the row that it wrote. */
export function mutationsPlugin(routes: readonly DescribedRoute[]) {
  const mutations = routes
    .filter(({ method }) => method !== "GET")
    .map(mutationOf)
    .filter(isShown)
    .filter(({ input }) => Object.values(input.properties).every(scalarOf));
  return extendSchema(({ pgResources }) => {
    const planMember = ([name, member]: Mutation["payload"][number]) => {
      const resource = pgResources[tableOf(member) ?? ""];
      const plan = ($payload: Payload) => {
        const $value = access<Body>($payload.get("body"), [name]);
        if (!resource) return $value;
        const key = resource.uniques.find(({ isPrimary }) => isPrimary)?.attributes[0] ?? "";
        // A row without its key in the answer is that of the path, or else the caller's own.
        const known = [$value, $payload.get("input"), context().get("callerId")] as const;
        const $key = lambda(known, ([row, input, caller]) => row[key] ?? input.id ?? caller);
        return resource.get({ [key]: $key });
      };
      return [camelCase(name), plan] as const;
    };
    const payloads = mutations.map(
      ({ type, payload }) =>
        [`${type}Payload`, { plans: Object.fromEntries(payload.map(planMember)) }] as const,
    );
    const plans = Object.fromEntries(mutations.map((it) => [it.name, planMutation(it)]));
    return {
      typeDefs: mutations.map(typeDefinitions).join("\n"),
      objects: { Mutation: { plans }, ...Object.fromEntries(payloads) },
    };
  });
}

const planMutation =
  ({ route, input: fields }: Mutation) =>
  (_root: Step, args: FieldArgs) => {
    const names = Object.keys(fields.properties);
    const steps = [context().get("mutate"), args.getRaw("input")] as const;
    const $body = sideEffect(steps, ([mutate, input]) => mutate(route.call, renamed(input, names)));
    return object({ body: $body, input: args.getRaw("input") });
  };

/** The fields of the input, under the names of REST requests. */
function renamed(input: object, names: readonly string[]): Record<string, unknown> {
  const given = new Map(Object.entries(input));
  const named = names.map((name) => [name, given.get(camelCase(name))] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

/** The types of the mutation, in GraphQL's schema language. */
function typeDefinitions({ route, name, type, input, payload }: Mutation): string {
  const inputs = Object.entries(input.properties).map(([field, schema]) => {
    const mark = input.required?.includes(field) ? "!" : "";
    return `${quoted(schema.description)} ${camelCase(field)}: ${scalarOf(schema)}${mark}`;
  });
  const outputs = payload.map(
    ([field, member]) => `${quoted(member.description)} ${camelCase(field)}: ${outputType(member)}`,
  );
  return `
    input ${type}Input { ${inputs.join("\n")} }
    type ${type}Payload { ${outputs.join("\n")} }
    extend type Mutation {
      ${quoted(route.summary)} ${name}(input: ${type}Input!): ${type}Payload
    }`;
}

const quoted = (text: string): string => JSON.stringify(text);
