import { detailsOf, type Failure, type FailureCode, failureOf } from "../errors/problem.ts";
import { callerHeaders, type HeaderName, headerReferences } from "./headers.ts";
import type { Content, Example, Reference, Response, Schema } from "./types.ts";

type Examples = Readonly<Record<string, Example>>;

/** The failures by their code, which the answer has in X-Error-Code. */
export const examplesOf = (
  refusals: readonly (Failure & { readonly field?: string | undefined })[],
): Examples =>
  Object.fromEntries(
    refusals.map(({ code, message: error, field }) => [
      code,
      { value: field === undefined ? { error } : { error, details: detailsOf([field], error) } },
    ]),
  );

/** The bodies of failures about fields or not. Both schemas are exact, so no body matches both. */
const bodies = {
  Failure: { $ref: "#/components/schemas/Failure" },
  either: {
    oneOf: [
      { $ref: "#/components/schemas/ValidationFailure" },
      { $ref: "#/components/schemas/Failure" },
    ],
  },
} as const satisfies Readonly<Record<string, Schema>>;

export const errorContent = (body: keyof typeof bodies, examples: Examples): Content => ({
  "application/json": { schema: bodies[body], examples },
});

function response(code: FailureCode, headers: readonly HeaderName[] = callerHeaders): Response {
  const failure = failureOf(code);
  return {
    description: failure.when,
    headers: headerReferences(...headers, "X-Error-Code"),
    content: errorContent("Failure", examplesOf([failure])),
  };
}

/** The responses that are the same for every operation. */
export const sharedResponses = {
  NotModified: {
    description: "The body is still the one of If-None-Match.",
    headers: headerReferences(...callerHeaders, "ETag"),
  },
  Unauthorized: response("authentication_required", ["WWW-Authenticate"]),
  UnknownPath: response("not_found"),
  MethodNotAllowed: response("method_not_allowed", [...callerHeaders, "Allow"]),
  PreconditionFailed: response("precondition_failed"),
  ContentTooLarge: response("body_too_large"),
  UnsupportedMediaType: response("unsupported_media_type"),
  TooManyRequests: response("too_many_requests", [...callerHeaders, "Retry-After"]),
  InternalServerError: response("internal_error", []),
  ServiceUnavailable: response("service_unavailable", ["Retry-After"]),
} as const satisfies Readonly<Record<string, Response>>;

export const shared = (name: keyof typeof sharedResponses): Reference => ({
  $ref: `#/components/responses/${name}`,
});
