import type { Building } from "../support/building.ts";
import { type Answer, type Person, requestJson } from "../support/person.ts";

export interface GraphQLFailure {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    readonly code: string;
    readonly status: number;
    readonly details?: unknown;
  };
}

export interface GraphQLBody<Data> {
  readonly data?: Data;
  readonly errors?: readonly GraphQLFailure[];
}

/** Sends a document with a person's token. */
export const send = <Data = Record<string, unknown>>(
  { service }: Pick<Building, "service">,
  { token }: Pick<Person, "token">,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<Answer<GraphQLBody<Data>>> =>
  requestJson(service.origin, "POST", "/api/graphql", { token, body: { query, variables } });

/** The data of a document that must succeed. */
export async function ask<Data>(
  building: Pick<Building, "service">,
  person: Pick<Person, "token">,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<Data> {
  for (;;) {
    const { body } = await send<Data>(building, person, query, variables);
    if (body.data !== undefined && !body.errors) return body.data;
    // A statement has four seconds, which is short on a busy machine. Nothing was done then.
    const isBusy = body.errors?.every(({ extensions: { status } }) => status === 503);
    if (!isBusy) throw new Error(JSON.stringify(body));
  }
}
