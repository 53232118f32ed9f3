import { postQuery } from "./client.ts";

interface GraphQLAnswer<Data> {
  readonly data?: Data;
  readonly errors?: readonly { readonly message: string }[];
}

/** Rows with their relations in one request, where REST would need one for each row. */
export async function query<Data>(document: string, variables: object): Promise<Data> {
  const { data, errors } = await postQuery<GraphQLAnswer<Data>>("/graphql", {
    query: document,
    variables,
  });
  if (data === undefined || errors !== undefined) throw new Error(errors?.[0]?.message);
  return data;
}
