/** The measurements as documents for PostGraphile alone, with the names of its Amber preset. */
import { personId, spotId } from "../building/people.ts";
import type { Step } from "../load/script.ts";
import {
  keep,
  type Measurement,
  numberOfReader,
  numberOfWriter,
  windowToClaim,
} from "../measurements.ts";
import type { Translation } from "./http.ts";

type Document = (client: number) => string;

const stamps = "created_at: createdAt updated_at: updatedAt";
const times = "start_time: startTime end_time: endTime";
const spot = `id: rowId spot_number: spotNumber owner_id: ownerId building_section: buildingSection
  is_verified: isVerified ${stamps}`;
const availability = `id: rowId spot_id: spotId ${times} is_claimed: isClaimed ${stamps}`;
const claim = `id: rowId availability_id: availabilityId claimer_id: claimerId ${times} status ${stamps}`;
const notification = `id: rowId kind message claim_id: claimId availability_id: availabilityId
  spot_id: spotId is_read: isRead resolved_at: resolvedAt ${stamps}`;
const profile = `id: rowId email full_name: fullName apartment_number: apartmentNumber
  phone_number: phoneNumber is_approved: isApproved is_admin: isAdmin ${stamps}`;

const list = (name: string, order: string, fields: string, condition = ""): string =>
  `{ ${name}: all${name[0]?.toUpperCase()}${name.slice(1)}(first: 50, orderBy: [${order}] ${condition}) { total: totalCount nodes { ${fields} } } }`;
const windows = (condition?: string): string =>
  list("availabilities", "START_TIME_ASC, PRIMARY_KEY_ASC", availability, condition);

/** Its profile has no user: that table is not the API's. The dashboard needs a condition that it has not. */
const reads: Readonly<Record<string, Document>> = {
  "GET /profile": (client) =>
    `{ profile: profileByRowId(rowId: "${personId(numberOfReader(client))}") { ${profile} } }`,
  "GET /parking-spots": () => list("spots", "SPOT_NUMBER_ASC, PRIMARY_KEY_ASC", spot),
  "GET /parking-spots/{id}": (client) =>
    `{ spot: spotByRowId(rowId: "${spotId(client + 1)}") { ${spot} } }`,
  "GET /availabilities": () => windows(),
  "GET /availabilities of a spot": (client) =>
    windows(`condition: { spotId: "${spotId(client + 1)}" }`),
  "GET /claims": () => list("claims", "START_TIME_DESC, PRIMARY_KEY_ASC", claim),
  "GET /notifications": () =>
    list("notifications", "CREATED_AT_DESC, PRIMARY_KEY_ASC", notification),
  "GraphQL's claims with relations":
    () => `{ claims: allClaims(first: 50, orderBy: [START_TIME_DESC, PRIMARY_KEY_ASC]) { totalCount nodes {
    id: rowId startTime endTime status
    availability: availabilityByAvailabilityId {
      isClaimed spot: spotBySpotIdAndOwnerId { spotNumber buildingSection } } } } }`,
};

const step = (query: string, variables = {}): Step => ({
  method: "POST",
  path: "/graphql",
  body: JSON.stringify({ query, variables }),
  statuses: [200],
  refuse: '"errors"',
});

const create = `mutation ($claim: ClaimInput!) {
  createClaim(input: { claim: $claim }) { claim { ${claim} } } }`;
const cancel = `mutation { deleteClaimByRowId(input: { rowId: "{kept}" }) { deletedClaimId } }`;
const publish = `mutation ($availability: AvailabilityInput!) {
  createAvailability(input: { availability: $availability }) { availability { ${availability} } } }`;

const writes: Readonly<Record<string, Measurement["steps"]>> = {
  "claim and cancel": (client, building) => {
    const { availability_id, start_time, end_time, spot } = windowToClaim(client, building);
    const ids = { availabilityId: availability_id, spotId: spotId(spot), ownerId: personId(spot) };
    const claim = { ...ids, startTime: start_time, endTime: end_time };
    return [{ ...step(create, { claim }), keep }, step(cancel)];
  },
  "POST /availabilities": (client) => [
    step(publish, {
      availability: {
        spotId: spotId(numberOfWriter(client)),
        startTime: "{start}",
        endTime: "{end}",
      },
    }),
  ],
};

/** Not the contended window: it says 200 to the losers too. */
export const asDocument: Translation = (measurement) => {
  const document = reads[measurement.name];
  return document === undefined ? writes[measurement.name] : (client) => [step(document(client))];
};

/** Its answer in the form of REST's, so that the two can be compared; one to GraphQL is left as it is. */
export function asRest(answer: unknown): unknown {
  if (!isObject(answer) || !isObject(answer.data)) return answer;
  const [name = "", found] = Object.entries(answer.data)[0] ?? [];
  if (!isObject(found) || "totalCount" in found) return answer;
  return "nodes" in found ? { [name]: found.nodes, total: found.total } : { [name]: found };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
