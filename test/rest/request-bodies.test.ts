import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Building, openBuilding } from "../support/building.ts";
import { type Person, requestJson } from "../support/person.ts";
import { complaint, malformed, refusal, told } from "./answers.ts";

let building: Building;
let resident: Person;
beforeAll(async () => {
  building = await openBuilding();
  resident = await building.resident();
});
afterAll(() => building.close());

const spotBody = (spotNumber: string): string =>
  JSON.stringify({ spot_number: spotNumber, building_section: "North" });

const register = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(`${building.service.origin}/api/parking-spots`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${resident.token}`,
      "Content-Type": "application/json",
      ...headers,
    },
    body,
  });
