import { iso } from "../time/zone.ts";

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export function search(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? ""
    : `?${new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])))}`;
}

/** The page size for reading lists. It is the largest that the API allows. */
export const PAGE = 200;

export const pageOf = (path: string, query: Query, offset: number): string =>
  path + search({ ...query, limit: PAGE, offset });

export const boardOf = (from: number, until: number): string =>
  `/board${search({ from: iso(from), until: iso(until) })}`;

/** For a request that makes something: what is empty is left out. */
export const withoutEmpty = (typed: object): object =>
  Object.fromEntries(Object.entries(typed).filter(([, value]) => value));

/** For a request that changes something: what is empty is cleared. */
export const withNull = (typed: object): object =>
  Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, value || null]));
