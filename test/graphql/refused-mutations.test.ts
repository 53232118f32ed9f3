import { describe, expect, it } from "@jest/globals";
import { claimOf, spotOf, useBuilding, type Window, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { type GraphQLFailure, send } from "./ask.ts";

const building = useBuilding();
const owner = building.shared("resident");
const claimer = building.shared("resident");

const freshWindow = async (): Promise<Window> => windowOf(owner, await spotOf(owner));
const inputOf = (window: Window) => ({
  availabilityId: window.id,
  startTime: window.start_time,
  endTime: window.end_time,
});

/** The one error of a mutation that must be refused. */
async function refusalOf(
  person: Person,
  name: string,
  input: object,
): Promise<GraphQLFailure | undefined> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`;
  const document = `mutation ($input: ${type}) { payload: ${name}(input: $input) { __typename } }`;
  const { status, body } = await send(building, person, document, { input });
  expect(status).toBe(200);
  expect(body.data).toEqual({ payload: null });
  expect(body.errors).toHaveLength(1);
  return body.errors?.[0];
}

describe("a mutation is refused as in REST, with the rule's name as code", () => {
  it("for a rule", async () => {
    expect(await refusalOf(owner, "createClaim", inputOf(await freshWindow()))).toMatchObject({
      message: "You cannot claim your own parking spot",
      path: ["payload"],
      extensions: { code: "claims_not_by_owner", status: 403 },
    });
  });

  it("for its form before its account", async () => {
    const input = { spotNumber: " ", buildingSection: "x".repeat(101) };

    expect(await refusalOf(await building.unapproved(), "createSpot", input)).toMatchObject({
      message: "Validation failed",
      extensions: {
        code: "validation_failed",
        status: 400,
        details: {
          spot_number: { _errors: [expect.any(String)] },
          building_section: { _errors: [expect.any(String)] },
        },
      },
    });
  });

  it("for a time without an offset, and for what is not a time", async () => {
    const { id } = await claimOf(claimer, await freshWindow());

    for (const startTime of ["2027-01-01", "2027-01-01T10:00:00", "now", 5, null]) {
      const answer = await send(
        building,
        claimer,
        "mutation ($input: UpdateClaimInput!) { updateClaim(input: $input) { claim { id } } }",
        { input: { id, startTime } },
      );
      expect(answer.body.errors).toMatchObject([{ extensions: { status: 400 } }]);
    }
  });
});
