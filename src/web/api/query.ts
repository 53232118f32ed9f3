import { iso } from "../time/zone.ts";

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export function search(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? ""
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/** The page size for reading lists. It is the largest that the API allows. */
export const PAGE = 200;

export const pageOf = (path: string, query: Query, offset: number): string =>
  path + search({ ...query, limit: PAGE, offset });

export const boardOf = (from: number, until: number): string =>
  `/board${search({ from: iso(from), until: iso(until) })}`;
