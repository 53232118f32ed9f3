import { readFileSync } from "node:fs";
import { limit } from "../contract/fields.ts";
import { type FailureCode, failureOf } from "../errors/problem.ts";
import { sharedResponses } from "./failures.ts";
import { headers } from "./headers.ts";
import { markdownTable } from "./markdown.ts";

const template = readFileSync(new URL("introduction.md", import.meta.url), "utf8");

/** The text at the top of the description. It says once what is the same for every operation. */
export function introduction(basePath: string): string {
  const values = new Map([
    ["basePath", basePath],
    ["defaultLimit", String(limit.default)],
    ["mostLimit", String(limit.maximum)],
    ["answers", markdownTable(["Answer", ""], responseRows)],
    ["headers", markdownTable(["Header", ""], headerRows)],
  ]);
  return template.trim().replaceAll(/\{\{(\w+)\}\}/g, (_, name) => values.get(name) ?? "");
}

type TableRow = readonly [name: string, description: string];

const sharedFailures = [
  "malformed_request",
  "authentication_required",
  "not_found",
  "method_not_allowed",
  "request_timeout",
  "precondition_failed",
  "body_too_large",
  "unsupported_media_type",
  "expectation_failed",
  "too_many_requests",
  "headers_too_large",
  "internal_error",
  "service_unavailable",
] as const satisfies readonly FailureCode[];

const responseRows: readonly TableRow[] = [
  ["304", sharedResponses.NotModified.description],
  ...sharedFailures
    .map(failureOf)
    .map(({ status, code, when }): TableRow => [`${status} \`${code}\``, when]),
];

const headerRows: readonly TableRow[] = Object.entries(headers).map(([name, { description }]) => [
  `\`${name}\``,
  description,
]);
