import type { ClaimLimits } from "../screens/claim/times.ts";
import { createStore, useStore } from "../store.ts";
import { get } from "./client.ts";
import type { Source } from "./reading.ts";

/** What the page knows of the building. */
export interface Building extends ClaimLimits {
  readonly name: string;
  /** All times are shown in it. */
  readonly time_zone: string;
}

export const building = createStore<Building>({ name: "", time_zone: "UTC" });

/** Until it is read, its times cannot be shown. */
export const buildingOfApi: Source<Building> = {
  key: "name and zone of the building",
  topics: ["building"],
  async read() {
    const answer = await get<{ readonly building: Building }>("/building");
    building.set(answer.building);
    return answer.building;
  },
  lifetime: 60 * 60_000,
};

export const useBuilding = (): Building => useStore(building);

export const timeZone = (): string => building.get().time_zone;
