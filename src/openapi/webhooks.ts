import { eventTypes, subjects, webhookTypes } from "../contract/events.ts";
import { longest } from "../formats.ts";
import { shown } from "./schemas.ts";
import type { Parameter, PathItem } from "./types.ts";

const header = (
  name: string,
  description: string,
  pattern: string,
  example: string,
): Parameter => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string", pattern, maxLength: 200 },
  example,
});

const headers: readonly Parameter[] = [
  header(
    "webhook-id",
    "Identifies the event: the same at each attempt, and when it is sent again.",
    "^[\\w-]+$",
    "0199d1b6-7c1e-7cc1-a6f0-0d7a5a6f9b3e",
  ),
  header(
    "webhook-timestamp",
    "When this attempt was made, in seconds since 1970.",
    "^\\d+$",
    "1782000000",
  ),
  header(
    "webhook-signature",
    "`v1,` and the HMAC-SHA256 of id, timestamp and body, in base64; while a secret rotates, two of them.",
    "^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
];

const sent = (type: (typeof webhookTypes)[number]): PathItem => {
  const subject = subjects[type.split(".")[0] ?? ""];
  return {
    parameters: headers,
    post: {
      operationId: `on_${type.replace(".", "_")}`,
      summary: eventTypes[type],
      description:
        "Sent to the webhooks that have this type. A webhook for a chat gets `{ text }` instead.",
      tags: ["webhooks"],
      security: [],
      parameters: [],
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: {
              type: "object",
              properties: {
                type: { type: "string", enum: [type] },
                timestamp: { type: "string", format: "date-time", maxLength: longest["date-time"] },
                ...(subject && { data: shown(subject) }),
              },
              required: ["type", "timestamp", "data"],
              additionalProperties: false,
            },
          },
        },
      },
      responses: {
        200: { description: "It was received. Any other 2xx says so too.", headers: {} },
        410: { description: "There is nobody any more: the webhook is turned off.", headers: {} },
        default: { description: "It is sent again, later and later.", headers: {} },
      },
    },
  };
};

/** What webhooks receive, by the type of the event. */
export const sentToWebhooks = Object.fromEntries(webhookTypes.map((type) => [type, sent(type)]));
