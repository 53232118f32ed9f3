import { ask, GRAPHQL } from "./ask.ts";
import { withEffects } from "./changes.ts";
import { forgetKeys, keepKey, keyFor } from "./lost-answers.ts";
import { PAGE, pageOf, type Query, search } from "./query.ts";

export const get = <Answer>(path: string, query: Query = {}): Promise<Answer> =>
  ask<Answer>("GET", path + search(query));
/** The request has a key, so that the service executes it once, however often it is sent. */
export async function post<Answer>(path: string, body: object): Promise<Answer> {
  const request = path + JSON.stringify(body);
  const key = keyFor(request);
  try {
    const answer = await withEffects(path, ask<Answer>("POST", path, body, { key }));
    forgetKeys();
    return answer;
  } catch (error) {
    keepKey(request, key);
    throw error;
  }
}
/**
 * For answers that are not stored under a key: those with a secret, or those that say what a
 * request would do.
 */
export const postWithoutKey = <Answer>(path: string, body: object): Promise<Answer> =>
  withEffects(path, ask<Answer>("POST", path, body));
/** It forgets lost requests even if it gets no answer, because it may undo what they did. */
export const put = <Answer>(path: string, body: object, seen?: object): Promise<Answer> =>
  withEffects(path, ask<Answer>("PUT", path, body, { seen }).finally(forgetKeys));
export const remove = <Answer>(path: string, query: Query = {}): Promise<Answer> =>
  withEffects(path, ask<Answer>("DELETE", path + search(query)).finally(forgetKeys));

interface GraphQLAnswer<Data> {
  readonly data?: Data;
  readonly errors?: readonly { readonly message: string }[];
}

/** Reads rows with their relations in one request. REST would need one request for each row. */
export async function queryGraphQL<Data>(query: string, variables: object): Promise<Data> {
  const body = { query, variables };
  const { data, errors } = await ask<GraphQLAnswer<Data>>("POST", GRAPHQL, body);
  if (data === undefined || errors !== undefined) throw new Error(errors?.[0]?.message);
  return data;
}

/** All rows of a list. The first page gives their number; the other pages are read together. */
export async function getAll<Row>(path: string, query: Query = {}): Promise<readonly Row[]> {
  type Page = Readonly<Record<string, number | readonly Row[]>>;
  const page = (offset: number) => get<Page>(pageOf(path, query, offset));
  const first = await page(0);
  const offsets = [];
  for (let offset = PAGE; offset < Number(first.total); offset += PAGE) offsets.push(offset);
  const others = await Promise.all(offsets.map(page));
  const members = [first, ...others].flatMap((it) => Object.values(it));
  const rows = members.flatMap((it) => (typeof it === "number" ? [] : it));
  // Rows that are added or removed between two pages move the others.
  return [...new Map(rows.map((row) => [idOf(row), row])).values()];
}

const idOf = (row: unknown): unknown =>
  typeof row === "object" && row !== null && "id" in row ? row.id : row;
