import type * as schemas from "../../contract/building.ts";
import type { ValueOf } from "../../contract/fields.ts";
import { greeting } from "../settings.ts";
import { BUILDING_KEY, keptValue } from "../sign-in/kept.ts";
import { createStore, useStore } from "../store.ts";
import { isZone, type Offset, setTimeZone } from "../time/zone.ts";
import { get } from "./client.ts";
import type { Source } from "./reading.ts";

type BuildingOfApi = ValueOf<typeof schemas.Building>;

/** The limits of claims. Null means no limit. */
export type ClaimLimits = Partial<
  Pick<
    BuildingOfApi,
    | "cancellation_cutoff_minutes"
    | "claim_notice_minutes"
    | "grace_minutes"
    | "longest_claim_minutes"
    | "shortest_claim_minutes"
  >
>;

export type Building = Partial<BuildingOfApi> &
  Pick<BuildingOfApi, "name" | "time_zone"> & {
    /** For a browser that does not know the time zone. */
    readonly offsets?: readonly Offset[];
  };

export const building = createStore<Building>({ name: "", ...greeting, time_zone: "UTC" });

export const useBuilding = (): Building => useStore(building);

/** Whether an administrator has yet to set the building up: nobody lives in UTC. */
export function useIsNew(): boolean {
  const { time_zone, pattern_days } = useBuilding();
  const isRead = pattern_days !== undefined;
  return isRead && time_zone === "UTC";
}

/** Until it is read, times of the building cannot be shown. */
export const buildingOfApi: Source<Building> = {
  key: BUILDING_KEY,
  topics: ["building"],
  async read() {
    const { building: known } = await get<{ readonly building: Building }>("/building");
    const read = isZone(known.time_zone)
      ? known
      : { ...known, ...(await get<Pick<Building, "offsets">>("/building/offsets")) };
    apply(read);
    return read;
  },
  lifetime: 60 * 60_000,
  isKept: true,
};

/** Restores what the person last saw, so that the start does not wait. */
export function restoreBuilding(): void {
  const kept = keptValue<Building>(buildingOfApi.key);
  if (kept !== undefined) apply(kept.value);
}

function apply(read: Building): void {
  setTimeZone(read.time_zone, read.offsets);
  building.set(read);
}
