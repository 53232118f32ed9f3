import type { Language, MailKind } from "../../texts/kinds.ts";
import { greeting } from "../settings.ts";
import { BUILDING_IS_KEPT_AS, keptValue } from "../sign-in/kept.ts";
import { createStore, useStore } from "../store.ts";
import { isZone, type Offset, setTimeZone } from "../time/zone.ts";
import { get } from "./client.ts";
import type { Source } from "./reading.ts";

/** The limits of claims. Null means no limit. */
export interface ClaimLimits {
  readonly cancellation_cutoff_minutes?: number | null;
  readonly grace_minutes?: number | null;
  readonly claim_notice_minutes?: number | null;
  readonly shortest_claim_minutes?: number | null;
  readonly longest_claim_minutes?: number | null;
}

/** What the page knows about the building. */
export interface Building extends ClaimLimits {
  readonly name: string;
  readonly mark?: string | null;
  readonly colour?: string | null;
  readonly time_zone: string;
  /** For a browser that does not know the time zone. */
  readonly offsets?: readonly Offset[];
  /** Whether people can claim what a claim leaves of a window, or gives back. */
  readonly rest_stays_on_offer?: boolean;
  /** The default for people who have not chosen. */
  readonly mail?: readonly MailKind[];
  readonly language?: Language;
  readonly remind_minutes?: number;
}

export const building = createStore<Building>({ name: "", ...greeting, time_zone: "UTC" });

export const useBuilding = (): Building => useStore(building);

/** Until it is read, times of the building cannot be shown. */
export const buildingOfApi: Source<Building> = {
  key: BUILDING_IS_KEPT_AS,
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
