import { describe, expect, it } from "@jest/globals";
import { type Exchange, expectDescribed } from "../support/description.ts";

const id = "0197e2b0-6f1e-7c3a-9d52-5b8f0a1c2d3e";
const time = "2030-01-01T10:00:00.000Z";
const times = { start_time: time, end_time: time, created_at: time, updated_at: time };
const availability = { id, spot_id: id, is_claimed: false, ...times };

const usual = {
  "Content-Type": "application/json; charset=utf-8",
  "X-Request-Id": "one",
  ETag: '"tag"',
};

/** A good answer, but for what is changed. */
const exchange = (
  change: Partial<Exchange> = {},
  headers: Readonly<Record<string, string>> = {},
): Exchange => ({
  method: "GET",
  path: `/api/availabilities/${id}`,
  status: 200,
  headers: new Headers({ ...usual, ...headers }),
  body: { availability },
  ...change,
});

const refused = (
  status: number,
  error: string,
  change: Partial<Exchange> = {},
  code = "not_found",
) => exchange({ status, body: { error }, ...change }, { "X-Error-Code": code });

const difference = (it: Exchange): string => {
  try {
    expectDescribed(it);
    return "none";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

describe("the replay of answers against the description", () => {
  it.each([
    ["an answer as described", exchange()],
    ["the same to HEAD, without the body", exchange({ method: "HEAD", body: undefined })],
    ["a refusal", refused(404, "Availability not found")],
    ["an unknown path", refused(404, "Not found", { path: "/api/nowhere" })],
    ["what is not below the base path", exchange({ path: "/livez", body: { status: "ok" } })],
    [
      "an answer that it knows no status for, where there is no endpoint",
      refused(418, "", {
        method: "OPTIONS",
      }),
    ],
  ])("accepts %s", (_case, it) => {
    expect(difference(it)).toBe("none");
  });

  it.each([
    ["a status", refused(409, "No"), /no such status/],
    [
      "a member too many",
      exchange({ body: { availability: { ...availability, owner_id: id } } }),
      /additional properties/,
    ],
    [
      "a member too few",
      exchange({ body: { availability: { id, spot_id: id, ...times } } }),
      /required property 'is_claimed'/,
    ],
    [
      "null where there is always something",
      exchange({ body: { availability: { ...availability, spot_id: null } } }),
      /spot_id must be string/,
    ],
    [
      "another way to write a time",
      exchange({ body: { availability: { ...availability, start_time: "2030-01-01T10:00:00Z" } } }),
      /start_time must match pattern/,
    ],
    ["a missing header", exchange({ headers: new Headers() }), /header X-Request-Id is missing/],
    ["a header that is no number", exchange({}, { "X-RateLimit-Limit": "many" }), /Limit: it must/],
    ["another type", exchange({}, { "Content-Type": "text/plain" }), /Content-Type is text\/plain/],
    ["a body with 304", exchange({ status: 304 }), /there is a body/],
    [
      "details of an error that has none",
      refused(404, "No", { body: { error: "No", details: {} } }),
      /additional properties/,
    ],
    [
      "an unknown path without an error",
      refused(404, "", { path: "/api/nowhere", body: {} }),
      /required property 'error'/,
    ],
    [
      "a wrong method without Allow",
      refused(405, "Method not allowed", { method: "PATCH" }),
      /header Allow is missing/,
    ],
    ["an error without a code", exchange({ status: 404, body: { error: "No" } }), /X-Error-Code/],
    [
      "a refusal that only other operations have",
      refused(400, "Cannot delete a completed claim", {}, "claims_completed_are_not_deleted"),
      /no such refusal/,
    ],
  ])("rejects %s", (_case, it, why) => {
    expect(difference(it)).toMatch(why);
  });
});
