import { personId, spotId } from "./building/people.ts";
import { claimAndCancel, type Measurement, numberOfReader, publish, read } from "./measurements.ts";

const DAY = 86_400_000;
const inDays = (days: number): string =>
  new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
const all = (path: string, query = ""): Measurement => ({
  ...read(path + query),
  name: `GET ${path}${query} as administrator`,
  asAdministrator: true,
});

/** What should take the same time however long the building's history is. */
export const historyMeasurements: readonly Measurement[] = [
  read("/dashboard"),
  claimAndCancel,
  publish,
  read("/availabilities"),
  read("/availabilities?is_claimed=false"),
  read("/availabilities of a spot", (client) => `/availabilities?spot_id=${spotId(client + 1)}`),
  read(
    "/availabilities of an owner",
    (client) => `/availabilities?owner_id=${personId(client + 1)}`,
  ),
  read("/availabilities from today", () => `/availabilities?start_date=${inDays(0)}`),
  read(
    "/availabilities of a week",
    () => `/availabilities?start_date=${inDays(0)}&end_date=${inDays(7)}`,
  ),
  read("/claims"),
  read("/claims?status=active"),
  read("/claims of a spot", (client) => `/claims?spot_id=${spotId(numberOfReader(client))}`),
  read("/claims from today", () => `/claims?start_date=${inDays(0)}`),
  all("/claims"),
  all("/claims", "?status=active"),
  read("/parking-spots"),
  read("/parking-spots of a section", () => "/parking-spots?building_section=Section%203"),
  read("/notifications"),
];
