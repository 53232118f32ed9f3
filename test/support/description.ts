import type { Method, Operation, Reference, Response, Responses } from "../../src/openapi/types.ts";
import { description } from "./described.ts";
import { objection } from "./schemas.ts";

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** Undefined where there was none. */
  readonly body: unknown;
}

const BASE_PATH = "/api";
const { components, paths } = description;

/**
 * Fails unless the description of the API foresees this answer: its status, its headers, and a body
 * without a member too few or too many. Of what is not below the base path it says nothing, nor of
 * GraphQL, which describes itself.
 */
export function expectDescribed(exchange: Exchange): void {
  const { method, path, status, body } = exchange;
  const { pathname } = new URL(path, "http://service");
  if (!pathname.startsWith(`${BASE_PATH}/`) || pathname === `${BASE_PATH}/graphql`) return;

  const operation = operationOf(method, pathname.slice(BASE_PATH.length));
  const difference = differenceOf(exchange, operation);
  if (difference !== undefined) {
    const answer = `${status} ${JSON.stringify(body)}`;
    throw new Error(`${method} ${path} is not described so: ${difference}: ${answer}`);
  }
}

const methods: Readonly<Record<string, Method>> = {
  GET: "get",
  HEAD: "get",
  POST: "post",
  PUT: "put",
  DELETE: "delete",
};

function operationOf(method: string, path: string): Operation | undefined {
  const template = Object.keys(paths).find((candidate) => patternOf(candidate).test(path));
  const name = methods[method];
  return name && paths[template ?? ""]?.[name];
}

const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`);

/** What is said where there is no such path or method, or before that is looked at. */
const responsesElsewhere: Responses = {
  401: { $ref: "#/components/responses/Unauthorized" },
  404: { $ref: "#/components/responses/UnknownPath" },
  405: { $ref: "#/components/responses/MethodNotAllowed" },
  429: { $ref: "#/components/responses/TooManyRequests" },
  500: { $ref: "#/components/responses/InternalServerError" },
  503: { $ref: "#/components/responses/ServiceUnavailable" },
};

function differenceOf(exchange: Exchange, operation?: Operation): string | undefined {
  const documented = (operation?.responses ?? responsesElsewhere)[exchange.status];
  if (documented === undefined) return operation && "there is no such status";
  const response = resolved(documented, components.responses);
  return inHeaders(response, exchange) ?? inBody(response, exchange) ?? inCode(response, exchange);
}

function inHeaders(response: Response, { headers }: Exchange): string | undefined {
  for (const [name, reference] of Object.entries(response.headers)) {
    const { required, schema } = resolved(reference, components.headers);
    const text = headers.get(name);
    if (text === null && required) return `the header ${name} is missing`;
    const wrong = text !== null && objection(schema, schema.type === "integer" ? +text : text);
    if (wrong) return `the header ${name}: ${wrong}`;
  }
  return undefined;
}

function inBody({ content }: Response, { method, headers, body }: Exchange): string | undefined {
  if (content === undefined) return body === undefined ? undefined : "there is a body";
  const type = headers.get("Content-Type");
  const name = type?.endsWith("; charset=utf-8") ? type.split(";")[0] : "";
  const described = Object.entries(content).find(([it]) => it === name)?.[1];
  if (described === undefined) return `the Content-Type is ${type}`;
  return method === "HEAD" ? undefined : objection(described.schema, body);
}

/** Every refusal that any response of the description has; a rule that a test changes has another. */
const refusals = new Set(
  [
    ...Object.values(components.responses),
    ...Object.values(paths).flatMap(({ parameters, ...operations }) =>
      Object.values(operations).flatMap((operation: Operation) =>
        Object.values(operation.responses),
      ),
    ),
  ].flatMap((response) => ("$ref" in response ? [] : refusalsOf(response))),
);

function refusalsOf({ content }: Response): readonly string[] {
  const examples = Object.entries(content?.["application/json"]?.examples ?? {});
  return examples.map(([code, { value }]) => `${code}: ${value.error}`);
}

function inCode(response: Response, { method, headers, body }: Exchange): string | undefined {
  if (method === "HEAD" || typeof body !== "object" || body === null || !("error" in body)) return;
  const refusal = `${headers.get("X-Error-Code")}: ${body.error}`;
  const isMissing = refusals.has(refusal) && !refusalsOf(response).includes(refusal);
  return isMissing ? `the operation has no such refusal: ${refusal}` : undefined;
}

function resolved<T extends object>(value: T | Reference, named: Readonly<Record<string, T>>): T {
  if (!("$ref" in value)) return value;
  const target = named[value.$ref.slice(value.$ref.lastIndexOf("/") + 1)];
  if (target === undefined) throw new Error(`${value.$ref} leads nowhere`);
  return target;
}
