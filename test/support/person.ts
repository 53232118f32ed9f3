import { DatabaseError, type Pool, type QueryResult, type QueryResultRow } from "pg";
import { expectDescribed } from "./description.ts";
import type { Service } from "./service.ts";
import { claimsOf, setClaims, withTransactionOf } from "./sql.ts";

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface Failure {
  readonly error: string;
  readonly details?: Readonly<Record<string, { readonly _errors: readonly string[] }>>;
}

/** Somebody with a token, who uses REST, and SQL as the API role. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  /** Each fails the test at once when `status` is given and the answer has another. */
  get<Body = Failure>(path: string, status?: number): Promise<Answer<Body>>;
  post<Body = Failure>(path: string, body: unknown, status?: number): Promise<Answer<Body>>;
  put<Body = Failure>(path: string, body: unknown, status?: number): Promise<Answer<Body>>;
  delete<Body = Failure>(path: string, status?: number): Promise<Answer<Body>>;
  /** One statement as the role parking_api with this person's claims, in its own transaction. */
  sql<Row extends QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ): Promise<QueryResult<Row>>;
  /** The error with which PostgreSQL refuses the statement. */
  sqlError(text: string, values?: readonly unknown[]): Promise<DatabaseError>;
}

export async function personOf(service: Service, api: Pool, id: string): Promise<Person> {
  const email = `${id.slice(0, 8)}@test.example`;
  const token = await service.issuer.token({ sub: id, email, email_verified: true });

  const ask = async <Body>(method: string, path: string, expected?: number, body?: unknown) => {
    const answer = await requestJson<Body>(service.origin, method, `/api${path}`, { token, body });
    if (expected !== undefined && answer.status !== expected) {
      const reasons = answer.status < 500 ? [] : service.errors;
      const text = [JSON.stringify(answer.body), ...reasons].join("\n");
      throw new Error(`${method} ${path} gave ${answer.status}, not ${expected}: ${text}`);
    }
    return answer;
  };
  const sql: Person["sql"] = async <Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ) =>
    withTransactionOf(api, async (client) => {
      await setClaims(client, claimsOf({ id, email }));
      const result = await client.query<Row>(text, [...values]);
      await client.query("commit");
      return result;
    });

  return {
    id,
    email,
    token,
    get: (path, status) => ask("GET", path, status),
    post: (path, body, status) => ask("POST", path, status, body),
    put: (path, body, status) => ask("PUT", path, status, body),
    delete: (path, status) => ask("DELETE", path, status),
    sql,
    sqlError: (text, values) =>
      sql(text, values).then(
        ({ command, rowCount }) => {
          throw new Error(`not refused: ${command} of ${rowCount} rows: ${text}`);
        },
        (error: unknown) => {
          if (error instanceof DatabaseError) return error;
          throw error;
        },
      ),
  };
}

/**
 * One request; a body that is not a string is sent as JSON.
 * @throws Error where the answer does not match the description of the API
 */
export async function requestJson<Body>(
  origin: string,
  method: string,
  path: string,
  options: {
    readonly token?: string;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Answer<Body>> {
  const headers = new Headers(options.headers);
  if (options.token !== undefined) headers.set("Authorization", `Bearer ${options.token}`);
  if (options.body !== undefined && !headers.has("Content-Type")) {
    headers.set("Content-Type", "application/json");
  }
  const body = typeof options.body === "string" ? options.body : JSON.stringify(options.body);
  const response = await fetch(origin + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isText = /^text\/(calendar|event-stream)/.test(response.headers.get("Content-Type") ?? "");
  const answer = {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : isText ? text : JSON.parse(text),
  };
  expectDescribed({ method, path, ...answer });
  return answer;
}
