import { describe, expect, it } from "@jest/globals";
import { claimOf, spotOf, useBuilding, windowOf } from "../support/building.ts";
import { send } from "./ask.ts";

const building = useBuilding({ rateLimits: { perMinute: 1000, perHour: 0 } });
const resident = building.shared("resident");

const many = (count: number, part: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => part(i)).join(" ");

async function pointsOf(
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const remaining = async (...[document, values]: [string, typeof variables?]) => {
    const { status, headers } = await send(building, resident, document, values);
    expect(status).toBe(200);
    return Number(headers.get("X-RateLimit-Remaining"));
  };
  return (await remaining("{ __typename }")) - (await remaining(query, variables));
}

describe("an operation is charged", () => {
  it("one point for a list of the usual length with all that is in its rows", async () => {
    const row = "id spotNumber buildingSection isVerified ownerId createdAt updatedAt";
    expect(await pointsOf(`{ spots { nodes { ${row} } } }`)).toBe(1);
  });

  it("one point for a mutation, with the row that it returns", async () => {
    const owner = await building.resident();
    const offered = await windowOf(owner, await spotOf(owner));
    const claim = await claimOf(resident, offered);
    const query = `mutation ($id: UUID!) { updateClaim(input: { id: $id, status: "cancelled" }) {
      claim { id status startTime endTime spot { spotNumber } availability { isClaimed } } } }`;

    expect(await pointsOf(query, { id: claim.id })).toBe(1);
  });

  it("a point for each mutation at least, as REST does", async () => {
    const change = (i: number) =>
      `a${i}: updateProfile(input: { apartmentNumber: "2B" }) { profile { id } }`;
    expect(await pointsOf(`mutation { ${many(12, change)} }`)).toBe(12);
    expect(
      await pointsOf(`mutation { ...All } fragment All on Mutation { ${many(3, change)} }`),
    ).toBe(3);
  });

  it("for the items that a list skips, and not endlessly", async () => {
    const skipping = (offset: number) =>
      pointsOf(`{ claims(first: 1, offset: ${offset}) { nodes { id } } }`);
    expect(await skipping(100)).toBe(1);
    expect(await skipping(2_000)).toBe(3);
    expect(await skipping(1_000_000)).toBe(await skipping(10_000));
  });

  it("as much for an empty list as for one of a single row", async () => {
    const rows = (first: number) =>
      `{ spots(first: ${first}) { nodes { ${many(
        8,
        (i) => `a${i}: claims(first: 20) { nodes { id } }`,
      )} } } }`;

    expect(await pointsOf(rows(0))).toBe(await pointsOf(rows(1)));
  });

  it("for every row and list that has to be planned, however short", async () => {
    const lists = (count: number) =>
      `{ ownProfile { ${many(count, (i) => `a${i}: spots(first: 1) { nodes { id } }`)} } }`;

    expect(await pointsOf(lists(25))).toBeGreaterThan(await pointsOf(lists(1)));
  });

  it("for every statement about all rows of a list, also below a row", async () => {
    const groupings = many(10, (i) => `a${i}: groupedAggregates(groupBy: [STATUS]) { keys count }`);

    expect(await pointsOf(`{ ownProfile { claims(first: 1) { ${groupings} } } }`)).toBeGreaterThan(
      4,
    );
  });

  it("for distinct counts, which sort all rows", async () => {
    const counted = (counts: string) => `{ claims(first: 1) { aggregates { ${counts} } } }`;

    expect(await pointsOf(counted("count distinctCount { claimerId }"))).toBeGreaterThan(
      await pointsOf(counted("count")),
    );
  });

  it("for every column that groups are made by", async () => {
    const grouped = (columns: readonly string[]) =>
      `{ claims(first: 1) { groupedAggregates(groupBy: [${columns.join(" ")}]) { keys } } }`;

    const four = ["BUILDING_SECTION", "DAY", "SPOT_ID", "CLAIMER_ID"];
    expect(await pointsOf(grouped(four))).toBeGreaterThan(await pointsOf(grouped(["STATUS"])));
  });
});
