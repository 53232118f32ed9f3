import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { OpenApiDocument, Operation } from "../../src/openapi/types.ts";
import { useBuilding } from "../support/building.ts";
import { description } from "../support/described.ts";
import { requestJson } from "../support/person.ts";

const building = useBuilding();

const now = performance.now.bind(performance);
let minutes = 0;
beforeEach(() => {
  jest.spyOn(performance, "now").mockImplementation(() => now() + minutes * 60_000);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const described = async (): Promise<OpenApiDocument> =>
  (await requestJson<OpenApiDocument>(building.service.origin, "GET", "/api/openapi.json")).body;

/** The operations that show an example under this code, with the status and the text that it has. */
function placesOf(code: string, { paths }: OpenApiDocument): readonly string[] {
  return Object.entries(paths).flatMap(([path, { parameters, ...operations }]) =>
    Object.entries(operations).flatMap(([method, operation]: [string, Operation]) =>
      Object.entries(operation.responses).flatMap(([status, response]) => {
        const content = "content" in response ? response.content : undefined;
        const example = content?.["application/json"]?.examples?.[code];
        return example ? [`${method} ${path} ${status}: ${example.value.error}`] : [];
      }),
    ),
  );
}

describe("the rules in the description", () => {
  it.each([
    [
      "claims_closed_stay_closed",
      [
        "put /claims/series/{id} 400: Cannot change status from completed/cancelled",
        "put /claims/{id} 400: Cannot change status from completed/cancelled",
        "put /admin/claims/{id} 400: Cannot change status from completed/cancelled",
      ],
    ],
    [
      "spots_spot_number_is_unique",
      [
        "post /parking-spots 409: A parking spot with this number already exists",
        "put /parking-spots/{id} 409: A parking spot with this number already exists",
      ],
    ],
    // Inserts leave the status to its default, which no request can change.
    ["claims_begin_active", []],
    ["events_are_only_added", []],
  ])("has %s where a request can break it", (code, places) => {
    expect(placesOf(code, description)).toEqual(places);
  });

  it("has the message of an absent row with the status 404", () => {
    expect(placesOf("not_found", description)).toContain("get /claims/{id} 404: Claim not found");
    expect(placesOf("not_found", description)).toContain(
      "get /profile 404: User profile not found",
    );
    expect(placesOf("not_found", description).filter((it) => /claims 404/.test(it))).toEqual([]);
  });

  it("has a new rule within a minute, and no longer than it stands", async () => {
    await building.rows(`
      alter table parking.claims
        add constraint claims_last_a_day_at_most
          check (end_time - start_time <= interval '24 hours');
      comment on constraint claims_last_a_day_at_most on parking.claims is
        E'@status 409\\n@field end_time\\nA claim lasts at most 24 hours'`);
    minutes += 1;
    expect(placesOf("claims_last_a_day_at_most", await described())).toEqual([
      "post /claims/series 409: A claim lasts at most 24 hours",
      "post /claims/series/preview 409: A claim lasts at most 24 hours",
      "post /claims 409: A claim lasts at most 24 hours",
      "put /claims/{id} 409: A claim lasts at most 24 hours",
    ]);

    await building.rows("alter table parking.claims drop constraint claims_last_a_day_at_most");
    minutes += 1;
    expect(placesOf("claims_last_a_day_at_most", await described())).toEqual([]);
  });

  it("has a rule with a status of its own", async () => {
    await building.rows(`
      create policy no_lobby on parking.spots as restrictive for insert to parking_api
        with check (building_section <> 'Lobby');
      comment on policy no_lobby on parking.spots is E'@status 422\\nNo cars in the lobby'`);
    minutes += 1;

    expect(placesOf("no_lobby", await described())).toEqual([
      "post /parking-spots 422: No cars in the lobby",
    ]);
  });

  it("has it beside what every request can meet with that status", async () => {
    await building.rows(`
      create policy no_roof on parking.spots as restrictive for insert to parking_api
        with check (building_section <> 'Roof');
      comment on policy no_roof on parking.spots is E'@status 429\\nNot so many cars on the roof'`);
    minutes += 1;

    const changed = await described();
    expect(placesOf("no_roof", changed)).toHaveLength(1);
    expect(placesOf("too_many_requests", changed)).toContain(
      "post /parking-spots 429: Too many requests",
    );
  });
});
