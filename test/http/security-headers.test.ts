import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Building, openBuilding } from "../support/building.ts";
import { type Person, requestJson } from "../support/person.ts";

let building: Building;
let person: Person;
beforeAll(async () => {
  building = await openBuilding();
  person = await building.resident();
});
afterAll(() => building.close());

describe("helmet's headers", () => {
  it.each([
    { status: 200, path: "/api/claims" },
    { status: 404, path: "/api/nowhere" },
    { status: 404, path: "/nowhere" },
    { status: 200, path: "/livez" },
    { status: 401, path: "/api/claims", token: "not.a.token" },
  ])("are on every answer: $status to $path", async ({ status, path, token = person.token }) => {
    const answer = await requestJson(building.service.origin, "GET", path, { token });

    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-security-policy": expect.stringContaining("default-src 'self'"),
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
      "x-content-type-options": "nosniff",
      "x-frame-options": "SAMEORIGIN",
    });
    expect(answer.headers.has("X-Powered-By")).toBe(false);
  });

  it("do not upgrade http to https", async () => {
    const { headers } = await person.get("/claims", 200);

    expect(headers.get("Content-Security-Policy")).not.toContain("upgrade-insecure-requests");
  });
});
