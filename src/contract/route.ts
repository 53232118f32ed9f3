import { Nothing, type ObjectSchema, PathId, type ResourceSchema } from "./schemas.ts";

/** What an account must be. `none`: anyone with a verified token. */
export type Requirement = "none" | "approved" | "administrator";

/** What a list is sorted by. Rows that are equal in it follow by id. */
export interface Order {
  readonly column: string;
  readonly direction: "asc" | "desc";
  /** No two rows are equal in it. */
  readonly isUnique?: true;
}

/** A condition on a column. */
export interface Comparison {
  readonly column: string;
  /** The rest of the condition in SQL; `$` is the value of the filter, `$name` that of another, or null. */
  readonly is: string;
}

export type Filters = Readonly<Record<string, readonly Comparison[]>>;

/**
 * One endpoint. Its path, query and body supply the arguments of its SQL function by name, and its
 * answer the columns that are read; the comment of the function is its summary in the description.
 */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the base path; parameters begin with a colon. */
  readonly path: string;
  /** The parameters of the path, where they are not `:id`. */
  readonly parameters?: ObjectSchema;
  /** The function in schema api. */
  readonly call: string;
  /** What the account of the caller must be. */
  readonly requires: Requirement;
  /** The table whose rows it reads or writes. A POST inserts, a PUT updates, a DELETE deletes. */
  readonly table?: string;
  /** Other tables that it writes. With them, a GET is not read-only. */
  readonly alsoWrites?: readonly string[];
  /** A function without arguments that only reads, and has the row where a GET has nothing to write. */
  readonly readsFirst?: string;
  readonly query?: ObjectSchema;
  readonly body?: ObjectSchema;
  /** The body of the response. Its properties are columns of what the function returns. */
  readonly answer: ResourceSchema;
  /** Members of the answer that other functions return, by name. */
  readonly more?: Readonly<Record<string, string>>;
  /** Those functions take the query too. Each returns many rows. */
  readonly sharesQuery?: true;
  /** Of a list, in REST and GraphQL: an index has it (`sql/<thing>/table.sql`). */
  readonly order?: Order;
  /** Of a list below the row of a path: a function of schema private and of the id, which refuses where there is none. */
  readonly within?: string;
  /** Of a list: the filters that are not a column of the same name. All their comparisons hold. */
  readonly filters?: Filters;
  /**
   * Where an index has the order of each part of a list, but none of all: the parts, values of the
   * function's argument `part`. Each row is in one of them. With one of the filters `unless`, which
   * have indexes of their own, the list is read as a whole.
   */
  readonly parts?: { readonly names: readonly string[]; readonly unless: readonly string[] };
  /** A function that knows the total of the list without counting, and the filters that it takes. */
  readonly total?: { readonly call: string; readonly filters: readonly string[] };
  /** Its query has `format`: the list of its answer can be had as CSV. */
  readonly csv?: true;
  /**
   * A function of schema private, for an answer of any length. The route's own function returns what
   * there is, as names and ids, and this one the records of each piece: they are sent one after the other.
   */
  readonly pieces?: string;
  /** Its answer does not end: events, as they happen. Its function says where they begin. */
  readonly stream?: true;
  /** Its answer is a calendar of the rows that it lists first, in the language of the request. */
  readonly calendar?: true;
  /** Its function takes `language`: that of the answer. */
  readonly takesLanguage?: true;
  /** Its function takes `address`: that of the API, as the client reached it. */
  readonly takesAddress?: true;
  /** Its answer has a secret, which is kept nowhere: it takes no Idempotency-Key, and no GET repeats it. */
  readonly secret?: true;
  /**
   * It takes no token, but `sig` in its query, which says whose it is. Its function is another
   * route's, so this is what the description calls it, and says of it.
   */
  readonly bySecret?: Readonly<Record<"operation" | "summary" | "details", string>>;
  /** Its answer is about persons: no cache stores it. */
  readonly personal?: true;
  /** Has limits of its own, besides those for all requests (src/config/settings.ts). */
  readonly limit?: "profile";
  /**
   * It also changes what others commit while it waits for them, which no snapshot from before has.
   * With If-Match this function, of schema private and of the id, first locks what it changes.
   */
  readonly lock?: string;
  /** Of a POST that says what another would do, and creates nothing. */
  readonly onlyTries?: true;
  /** The path where a created resource is found. */
  readonly location?: string | undefined;
  /** In bytes, where a body may be larger than others. */
  readonly largestBody?: number;
}

type Shared = Pick<Route, "requires" | "table" | "alsoWrites" | "personal" | "csv">;
type Own = Partial<Route> & Pick<Route, "answer">;

/** Makes the routes of one thing for one kind of caller; `shared` is true of each of them. */
export function routesFor(requires: Requirement, shared: Omit<Shared, "requires"> = {}) {
  const route =
    (method: Route["method"]) =>
    (path: string, call: string, own: Own): Route => ({
      method,
      path,
      call,
      requires,
      ...(method === "POST" && { location: `${path}/:id` }),
      ...shared,
      ...own,
    });
  return { get: route("GET"), post: route("POST"), put: route("PUT"), remove: route("DELETE") };
}

/** A POST creates something, so it answers 201. */
export const statusOf = ({ method, onlyTries }: Route): 200 | 201 =>
  method === "POST" && !onlyTries ? 201 : 200;

/** Whether it answers with a page of many rows. */
export const isList = ({ order }: Route): boolean => order !== undefined;

export const pathParametersOf = ({ path, parameters }: Route): ObjectSchema =>
  parameters ?? (path.includes(":id") ? PathId : Nothing);

/** All that a request that writes carries, as one object. */
export function inputOf(route: Route): ObjectSchema {
  const path = pathParametersOf(route);
  const given = route.body ?? route.query ?? Nothing;
  return {
    ...given,
    properties: { ...path.properties, ...given.properties },
    required: [...(path.required ?? []), ...(given.required ?? [])],
  };
}

/** The path as descriptions have it: `/claims/{id}`. */
export const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");

/** What a filter of a list means. */
export const comparisonsOf = ({ filters }: Route, filter: string): readonly Comparison[] =>
  filters?.[filter] ?? [{ column: filter, is: "= $" }];
