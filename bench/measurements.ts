import { type Issuer, spotId, windowId } from "./building/people.ts";
import type { Building } from "./building/site.ts";
import type { Script, Step } from "./load/script.ts";

/** What is measured: requests to the REST API, which the service and a peer answer alike. */
export interface Measurement {
  readonly name: string;
  /** Whether it leaves everything as it was. */
  readonly reads: boolean;
  /** Whether the building's administrator sends it. */
  readonly asAdministrator?: boolean;
  /** What one connection sends in a building, and who. */
  steps(client: number, building: Building): readonly Step[];
}

export const CONNECTIONS = 32;
/** fill.sql gives the first residents what there is to read; the writers are others. */
const READERS = 16;
const FIRST_WRITER = READERS + 1;

export const residentOf = (
  { reads, asAdministrator = false }: Measurement,
  client: number,
  { size }: Building,
): number => {
  if (asAdministrator) return size.spots; // the last one
  return reads ? numberOfReader(client) : numberOfWriter(client);
};
export const numberOfReader = (client: number): number => 1 + (client % READERS);
export const numberOfWriter = (client: number): number => FIRST_WRITER + client;

export const scriptsOf = (
  measurement: Measurement,
  building: Building,
  issuer: Issuer,
  stepsOf = measurement.steps,
): readonly Script[] =>
  Array.from({ length: CONNECTIONS }, (_, client) => ({
    token: issuer.resident(residentOf(measurement, client, building)).token,
    steps: stepsOf(client, building),
  }));

export const read = (
  name: string,
  pathOf: string | ((client: number) => string) = name,
): Measurement => ({
  name: `GET ${name}`,
  reads: true,
  steps: (client) => {
    const path = typeof pathOf === "string" ? pathOf : pathOf(client);
    return [{ method: "GET", path: `/api${path}`, statuses: [200] }];
  },
});

const post = (path: string, body: object, more: Partial<Step> = {}): Step => ({
  method: "POST",
  path: `/api${path}`,
  body: JSON.stringify(body),
  statuses: [201],
  ...more,
});

/** The id of what was made. */
export const keep = '"id" ?: ?"([^"]+)"';
const cancel: Step = { method: "DELETE", path: "/api/claims/{kept}", statuses: [200] };

/** The last window of the next writer's spot, which nobody else claims. */
export const windowToClaim = (client: number, building: Building) =>
  lastWindowOf(numberOfWriter(client + 1), building);

function lastWindowOf(spot: number, { size }: Building) {
  const day = size.future - 1;
  const start = new Date();
  start.setUTCMinutes(0, 0, 0);
  const at = (hours: number) => new Date(start.getTime() + (day * 24 + hours) * 3_600_000);
  // Inside the window also where the hour changed after the building was filled.
  return {
    spot,
    availability_id: windowId(spot, size.past + day),
    start_time: at(1),
    end_time: at(7),
  };
}

const claimOf = ({ spot: _, ...body }: ReturnType<typeof lastWindowOf>, more = {}): Step =>
  post("/claims", body, { keep, ...more });

export const listOfClaims = `{ claims(first: 50) { totalCount nodes {
  id startTime endTime status
  availability { isClaimed spot { spotNumber buildingSection } } } } }`;

export const claimAndCancel: Measurement = {
  name: "claim and cancel",
  reads: false,
  steps: (client, building) => [claimOf(windowToClaim(client, building)), cancel],
};

export const publish: Measurement = {
  name: "POST /availabilities",
  reads: false,
  steps: (client) => {
    const spot_id = spotId(numberOfWriter(client));
    return [post("/availabilities", { spot_id, start_time: "{start}", end_time: "{end}" })];
  },
};

export const measurements: readonly Measurement[] = [
  { ...read("/livez"), steps: () => [{ method: "GET", path: "/livez", statuses: [200] }] },
  read("/profile"),
  read("/dashboard"),
  read("/parking-spots"),
  read("/parking-spots/{id}", (client) => `/parking-spots/${spotId(client + 1)}`),
  read("/availabilities"),
  read("/availabilities of a spot", (client) => `/availabilities?spot_id=${spotId(client + 1)}`),
  read("/claims"),
  read("/notifications"),
  {
    name: "GraphQL's claims with relations",
    reads: true,
    steps: () => [
      post("/graphql", { query: listOfClaims }, { statuses: [200], refuse: '"errors"' }),
    ],
  },
  claimAndCancel,
  {
    name: "32 rivals for one window",
    reads: false,
    steps: (_client, building) => [
      claimOf(lastWindowOf(building.size.spots, building), { statuses: [201, 400] }),
      cancel,
    ],
  },
  publish,
];
