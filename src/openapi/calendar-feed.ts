import { failureOf } from "../errors/failures.ts";
import { errorContent, examplesOf, shared } from "./failures.ts";
import { callerHeaders, headerParameter, headerReferences } from "./headers.ts";
import { calendarContent } from "./operations.ts";
import type { PathItem } from "./types.ts";

const EXAMPLE_SECRET = "yB2CkBzWq0mJ3pV5nT7xR9sU1wA4dF6hK8lZ0cE2gI4";

/** What calendar apps read, which have no token. */
export const feedPath = (absence: string): PathItem => ({
  parameters: [headerParameter("RequestId")],
  get: {
    operationId: "get_calendar_by_feed",
    summary: "A resident's calendar, for calendar apps",
    description:
      "It needs no token, but an address that POST `/calendar-feed` gave. It rests while the resident is not approved, and ends when they make another, end it or are erased.",
    tags: ["calendar-feed"],
    security: [],
    parameters: [
      {
        name: "sig",
        in: "query",
        required: true,
        description: "The secret part of the address.",
        schema: { type: "string", pattern: "^[\\w-]{43}$", maxLength: 43 },
        example: EXAMPLE_SECRET,
      },
      headerParameter("IfNoneMatch"),
    ],
    responses: {
      200: {
        description: "A calendar of RFC 5545, in the language of the feed.",
        headers: headerReferences(...callerHeaders, "ETag"),
        content: calendarContent,
      },
      304: shared("NotModified"),
      400: {
        description: "A condition is malformed, or not If-None-Match.",
        headers: headerReferences("X-Error-Code"),
        content: errorContent("either", examplesOf([failureOf("validation_failed")])),
      },
      404: {
        description: "There is no such feed, or no longer.",
        headers: headerReferences("X-Error-Code"),
        content: errorContent(
          "Failure",
          examplesOf([{ ...failureOf("not_found"), message: absence }]),
        ),
      },
      429: shared("TooManyRequests"),
      500: shared("InternalServerError"),
      503: shared("ServiceUnavailable"),
    },
  },
});
