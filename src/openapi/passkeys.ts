import { failureOf } from "../errors/problem.ts";
import { longest } from "../formats.ts";
import { errorContent, examplesOf, shared } from "./failures.ts";
import { callerHeaders, headerParameter, headerReferences } from "./headers.ts";
import type { Operation, PathItem, Responses, Schema, SchemaObject, Tag } from "./types.ts";

/**
 * The passkeys of the caller. They are in no contract, because what is checked is not in the
 * database, and only where people sign in by mail (src/identity/passkeys-api.ts).
 */
export const passkeysTag: Tag = {
  name: "passkeys",
  description: "What people sign in with in place of a code in a mail.",
};

const id: SchemaObject = {
  type: "string",
  format: "uuid",
  maxLength: longest.uuid,
  description: "Identifies the passkey.",
  example: "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
};
const name: SchemaObject = {
  type: "string",
  minLength: 1,
  maxLength: 60,
  pattern: "^[^\\n]*$",
  description: "What the person calls the device.",
  example: "Phone",
};
const moment: SchemaObject = {
  type: "string",
  format: "date-time",
  maxLength: longest["date-time"],
  example: "2030-01-02T10:00:00.000Z",
};

const objectOf = (properties: Readonly<Record<string, Schema>>): SchemaObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const passkey = objectOf({
  id,
  name,
  is_backed_up: {
    type: "boolean",
    description: "Whether the device's maker keeps a copy, which other devices of the person have.",
    example: true,
  },
  last_used_at: { ...moment, nullable: true, description: "The last sign-in with it." },
  created_at: { ...moment, description: "When it was added." },
});

/** As browsers write and read it: PublicKeyCredential.toJSON and parseCreationOptionsFromJSON. */
const byBrowsers = (description: string): SchemaObject => ({ type: "object", description });

const refused = (code: Parameters<typeof failureOf>[0]): Responses[string] => ({
  description: failureOf(code).when,
  headers: headerReferences(...callerHeaders, "X-Error-Code"),
  content: errorContent("either", examplesOf([failureOf(code)])),
});

const responses = (status: number, description: string, schema: SchemaObject): Responses => ({
  [status]: {
    description,
    headers: headerReferences(...callerHeaders),
    content: { "application/json": { schema } },
  },
  400: refused("validation_failed"),
  401: shared("Unauthorized"),
  403: refused("forbidden"),
  404: refused("not_found"),
  409: refused("conflict"),
  429: shared("TooManyRequests"),
  500: shared("InternalServerError"),
  503: shared("ServiceUnavailable"),
});

const operation = (
  texts: Pick<Operation, "operationId" | "summary" | "description">,
  answers: Responses,
): Operation => ({ ...texts, tags: [passkeysTag.name], parameters: [], responses: answers });

const FRESH = "A token from before the person signed out elsewhere is refused with 401.";

export const passkeyPaths: Readonly<Record<string, PathItem>> = {
  "/passkeys": {
    parameters: [headerParameter("RequestId")],
    get: operation(
      {
        operationId: "list_passkeys",
        summary: "Your passkeys, oldest first",
        description: "For everybody with a token, also before the account is approved.",
      },
      responses(
        200,
        "The passkeys.",
        objectOf({ passkeys: { type: "array", maxItems: 10, items: passkey } }),
      ),
    ),
    post: {
      ...operation(
        {
          operationId: "add_passkey",
          summary: "Add a passkey that the browser has made with the options",
          description: `A person has ten at most, and is told by mail. ${FRESH}`,
        },
        {
          ...responses(201, "The passkey.", objectOf({ passkey })),
          413: shared("ContentTooLarge"),
          415: shared("UnsupportedMediaType"),
        },
      ),
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: objectOf({
              name,
              credential: byBrowsers("What the browser made, as JSON (WebAuthn, 5.1.4)."),
            }),
          },
        },
      },
    },
  },
  "/passkeys/options": {
    parameters: [headerParameter("RequestId")],
    post: operation(
      {
        operationId: "begin_passkey",
        summary: "The options with which the browser makes a passkey",
        description: `Their challenge is good once, for ten minutes. ${FRESH}`,
      },
      responses(
        200,
        "The options.",
        objectOf({ options: byBrowsers("Options for the browser, as JSON (WebAuthn, 5.1.8).") }),
      ),
    ),
  },
  "/passkeys/{id}": {
    parameters: [
      {
        name: "id",
        in: "path",
        required: true,
        description: "Identifies the passkey.",
        schema: { type: "string", format: "uuid", maxLength: longest.uuid },
        example: "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
      },
      headerParameter("RequestId"),
    ],
    delete: operation(
      {
        operationId: "remove_passkey",
        summary: "Remove a passkey",
        description: `The person is told by mail. ${FRESH}`,
      },
      responses(
        200,
        "It is removed.",
        objectOf({
          message: {
            type: "string",
            maxLength: 100,
            pattern: "^Passkey removed successfully$",
            example: "Passkey removed successfully",
          },
          deleted_passkey_id: id,
        }),
      ),
    ),
  },
};
