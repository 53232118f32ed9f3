import { describe, expect, it } from "@jest/globals";
import { send } from "../graphql/ask.ts";
import { useBuilding } from "../support/building.ts";
import { requestJson } from "../support/person.ts";

const building = useBuilding({ corsOrigins: ["https://app.example.org"] });
const owner = building.shared("resident");

type Options = Parameters<typeof requestJson>[3];

const ask = (method: string, path: string, options: Options = {}) =>
  requestJson(building.service.origin, method, path, { token: owner.token, ...options });

const absent = "0197e2b0-6f1e-7c3a-9d52-5b8f0a1c2d3e";

describe("the header X-Error-Code", () => {
  it.each<[string, string, string, Options]>([
    ["validation_failed", "GET", "/api/claims?colour=red", {}],
    ["invalid_json", "POST", "/api/claims", { body: "{" }],
    ["invalid_json", "POST", "/api/claims", { body: [] }],
    ["authentication_required", "GET", "/api/claims", { token: "not.a.token" }],
    ["not_found", "GET", "/api/nowhere", {}],
    ["not_found", "GET", "/nowhere", {}],
    ["not_found", "GET", `/api/claims/${absent}`, {}],
    ["method_not_allowed", "DELETE", "/api/claims", {}],
    ["body_too_large", "POST", "/api/claims", { body: { a: "a".repeat(110_000) } }],
    [
      "unsupported_media_type",
      "POST",
      "/api/claims",
      { body: "{}", headers: { "Content-Type": "text/plain" } },
    ],
  ])("is %s for %s %s", async (code, method, path, options) => {
    expect((await ask(method, path, options)).headers.get("X-Error-Code")).toBe(code);
  });

  it.each(["größe", "spots_Ł_€", "車庫", "one rule, 100% é", "🅿"])(
    "is encoded where a DBA gave the rule another name: %s",
    async (name) => {
      await building.rows(`
        alter table parking.spots add constraint "${name}" check (building_section <> 'Attic');
        comment on constraint "${name}" on parking.spots is 'Nobody parks in the attic'`);
      const body = { spot_number: "1", building_section: "Attic" };
      const query =
        'mutation { createSpot(input: { spotNumber: "1", buildingSection: "Attic" }) { spot { id } } }';
      const [rest, graphql] = await Promise.all([
        owner.post("/parking-spots", body),
        send(building, owner, query),
      ]);
      await building.rows(`alter table parking.spots drop constraint "${name}"`);

      expect([rest.status, rest.body]).toEqual([400, { error: "Nobody parks in the attic" }]);
      expect(decodeURIComponent(rest.headers.get("X-Error-Code") ?? "")).toBe(name);
      expect(graphql.body.errors?.[0]).toMatchObject({
        message: "Nobody parks in the attic",
        extensions: { code: name, status: 400 },
      });
    },
  );

  it("is in no answer that succeeds", async () => {
    expect((await owner.get("/claims", 200)).headers.get("X-Error-Code")).toBeNull();
  });

  it("can be read by pages of other origins", async () => {
    const { headers } = await ask("GET", "/api/nowhere", {
      headers: { Origin: "https://app.example.org" },
    });

    expect(headers.get("Access-Control-Expose-Headers")).toContain("X-Error-Code");
  });

  it("is in GraphQL what extensions.code is", async () => {
    const { headers, body } = await requestJson<{ errors: { extensions: { code: string } }[] }>(
      building.service.origin,
      "POST",
      "/api/graphql",
      { token: owner.token, body: { query: "{ secrets }" } },
    );

    expect(headers.get("X-Error-Code")).toBe("invalid_document");
    expect(body.errors[0]?.extensions.code).toBe("invalid_document");
  });
});
