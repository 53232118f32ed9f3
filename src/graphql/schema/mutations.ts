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
import type { Member } from "../../rest/answers.ts";
import type { Summaries } from "../../rest/check.ts";
import { routes } from "../../rest/routes.ts";
import type { Body } from "../execution/context.ts";
import {
  camelCase,
  type Mutation,
  mutationOf,
  tableOf,
  typeDefinitions,
} from "./mutation-types.ts";

/** Every route that changes something. */
export const mutations = routes.filter(({ method }) => method !== "GET").map(mutationOf);

type Payload = ObjectStep<{ body: Step<Body> }>;

/** The mutations: each calls the function of its route, then shows the row as it is now. */
export const mutationsPlugin = (summaries: Summaries) =>
  extendSchema((build) => {
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
      typeDefs: mutations.map((it) => typeDefinitions(it, summaries)).join("\n"),
      objects: {
        Mutation: { plans: Object.fromEntries(mutations.map((it) => [it.name, planMutation(it)])) },
        ...Object.fromEntries(mutations.map((it) => [it.payloadType, plansOf(it)])),
      },
    };
  });

const planMutation =
  ({ route }: Mutation) =>
  (_root: Step, args: FieldArgs) => {
    const steps = [context().get("mutate"), args.getRaw("input")] as const;
    const $body = sideEffect(steps, ([mutate, input]) => mutate(route.call, input));
    return object({ body: $body });
  };

const mapEntries = <From, To>(
  record: Readonly<Record<string, From>>,
  map: (name: string, value: From) => readonly [string, To],
): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => map(name, value)));
