import { createStore, useStore } from "../store.ts";

/** What the page knows of the building. */
export interface Building {
  readonly name: string;
  /** All times are shown in it. */
  readonly time_zone: string;
}

export const building = createStore<Building>({ name: "", time_zone: "UTC" });

export const useBuilding = (): Building => useStore(building);

export const timeZone = (): string => building.get().time_zone;
