import { Nothing, type ObjectSchema, PathId, type ResourceSchema } from "./schemas.ts";

/**
 * What the account of a caller must be. `none`: anyone with a verified token; `staff`: an
 * administrator or a concierge.
 */
export type Requirement = "none" | "approved" | "staff" | "administrator";

/** The scopes that a key of a machine may have. */
export const scopes = ["gate", "reports", "events"] as const;
export type Scope = (typeof scopes)[number];

/** The order of a list. Rows with the same value are in the order of their ids. */
export interface Order {
  readonly column: string;
  readonly direction: "asc" | "desc";
  /** No two rows have the same value. */
  readonly isUnique?: true;
}

/** A condition on a column. */
export interface Comparison {
  readonly column: string;
  /**
   * The rest of the condition in SQL. `$` is the value of the filter, `$name` that of another
   * filter, or null.
   */
  readonly is: string;
}

export type Filters = Readonly<Record<string, readonly Comparison[]>>;

/**
 * An endpoint. Its path, query and body give its SQL function the arguments by name. The properties
 * of its answer are the columns that are read. The comment of the function is its summary in the
 * description.
 */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the base path; parameters begin with a colon. */
  readonly path: string;
  /** The parameters of the path, if they are not just `:id`. */
  readonly parameters?: ObjectSchema;
  /** The function in schema api. */
  readonly call: string;
  readonly requires: Requirement;
  /** The keys that may use it too. No other route takes a key. */
  readonly scope?: Scope;
  /** The table whose rows it reads or writes. A POST inserts, a PUT updates, a DELETE deletes. */
  readonly table?: string;
  /** Other tables that it writes. A GET that has some is not read-only. */
  readonly alsoWrites?: readonly string[];
  /**
   * For a GET that keeps what the caller's token says: the read-only function without arguments that
   * returns its row from the second request with the token on.
   */
  readonly readsAfterwards?: string;
  readonly query?: ObjectSchema;
  readonly body?: ObjectSchema;
  /** The body of the response. Its properties are columns of the function's result. */
  readonly answer: ResourceSchema;
  /** The functions that other members of the answer come from, by the name of the member. */
  readonly otherCalls?: Readonly<Record<string, string>>;
  /** The functions of `otherCalls` take the query too. Each returns many rows. */
  readonly sharesQuery?: true;
  /** The order of a list in REST and GraphQL. An index has this order (`sql/<thing>/table.sql`). */
  readonly order?: Order;
  /**
   * For a list below a row of the path: a function of schema private that takes the id and refuses
   * if there is no such row.
   */
  readonly parentCheck?: string;
  /** For a list: the filters that are not just the column with their name. All must hold. */
  readonly filters?: Filters;
  /**
   * The parts of a list, if indexes have the order of each part but not of the whole list. Names
   * are values of the function's argument `part`. Each row is in one part. If the request has a
   * filter of `unless`, which has its own index, the list is read as a whole.
   */
  readonly parts?: { readonly names: readonly string[]; readonly unless: readonly string[] };
  /**
   * A function that returns the total of a list without counting, and the filters that it takes.
   */
  readonly total?: { readonly call: string; readonly filters: readonly string[] };
  /** The query has `format`, so that clients can get the list of its answer as CSV. */
  readonly csv?: true;
  /**
   * A function of schema private, for an answer of any length. The route's own function returns the
   * pieces by name and ids, and this function returns the records of each piece. The pieces are
   * sent one after the other.
   */
  readonly pieces?: string;
  /** The answer is an endless stream of events. Its function says where the stream begins. */
  readonly stream?: true;
  /** The answer is a calendar of the rows of its first list, in the language of the request. */
  readonly calendar?: true;
  /** Its function takes `language`, the language of the answer. */
  readonly takesLanguage?: true;
  /** Its function takes `address`, the API's address as the client reached it. */
  readonly takesAddress?: true;
  /**
   * The answer has a secret, which is not stored: the route takes no Idempotency-Key, and no GET
   * repeats the secret.
   */
  readonly secret?: true;
  /**
   * It takes no token, but `sig` in its query, which identifies the person. Its function belongs to
   * another route, so the description uses these texts.
   */
  readonly bySecret?: Readonly<Record<"operation" | "summary" | "details", string>>;
  /** To a key, the answer has the header X-Signature: the HMAC of its body with the key's secret. */
  readonly isSigned?: true;
  /** The answer is about persons, so no cache stores it. */
  readonly personal?: true;
  /** It has its own limits in addition to those for all requests (src/config/settings.ts). */
  readonly limit?: "profile";
  /**
   * It also changes rows that others commit while it waits for them, and an earlier snapshot does
   * not have those. With If-Match, this function of schema private takes the id and first locks
   * what the route changes.
   */
  readonly lock?: string;
  /** How many requests of the rate limit it is, for one with the work of several. */
  readonly points?: (values: Readonly<Record<string, unknown>>) => number;
  /** For a POST that says what another POST would do, and creates nothing. */
  readonly isPreview?: true;
  /** The path where a created resource is found. */
  readonly location?: string | undefined;
  /** The largest body in bytes, if it may be larger than for other routes. */
  readonly largestBody?: number;
}

type Shared = Pick<Route, "requires" | "scope" | "table" | "alsoWrites" | "personal" | "csv">;
type Own = Partial<Route> & Pick<Route, "answer">;

/** Returns functions that make the routes of one thing for one kind of caller, with `shared`. */
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
export const statusOf = ({ method, isPreview }: Route): 200 | 201 =>
  method === "POST" && !isPreview ? 201 : 200;

/** Whether the answer is a page of a list. */
export const isList = ({ order }: Route): boolean => order !== undefined;

/** How many points of the rate limit a request is charged. */
export const pointsOf = ({ points }: Route, values: Readonly<Record<string, unknown>>): number =>
  points?.(values) ?? 1;

export const pathParametersOf = ({ path, parameters }: Route): ObjectSchema =>
  parameters ?? (path.includes(":id") ? PathId : Nothing);

/** All input of a request that writes, as one object. */
export function inputOf(route: Route): ObjectSchema {
  const path = pathParametersOf(route);
  const given = route.body ?? route.query ?? Nothing;
  return {
    ...given,
    properties: { ...path.properties, ...given.properties },
    required: [...(path.required ?? []), ...(given.required ?? [])],
  };
}

/** The path in the form of OpenAPI: `/claims/{id}`. */
export const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");

/** The comparisons that a filter of a list stands for. */
export const comparisonsOf = ({ filters }: Route, filter: string): readonly Comparison[] =>
  filters?.[filter] ?? [{ column: filter, is: "= $" }];
