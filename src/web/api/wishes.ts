import { now } from "../time/now.ts";
import { DAY } from "../time/zone.ts";
import { get, getAll } from "./client.ts";
import type { Source } from "./reading.ts";
import type { Availability, Wish } from "./resources.ts";

/** How long the outcome of a wish is shown. */
const SHOWN = 14 * DAY;

/** What the person waits for, and recent outcomes, the latest start first. */
export const ownWishes: Source<readonly Wish[]> = {
  key: "wishes",
  topics: ["wishes", "claims", "availabilities"],
  read: () =>
    getAll<Wish>("/wishes", "wishes", { start_date: new Date(now() - SHOWN).toISOString() }),
};

/** A wish waits until a claim fits it or until it begins. */
export const isOpen = ({ claim_id, start_time }: Wish, now: number): boolean =>
  claim_id === undefined && Date.parse(start_time) > now;

interface Page {
  readonly availabilities: readonly Availability[];
}

/** The windows that fit a wish now. */
export const windowsFor = (wish: Wish): Source<readonly Availability[]> => ({
  key: `windows for ${wish.id} ${wish.updated_at}`,
  topics: ["availabilities"],
  read: async () => {
    const { start_time, end_time, building_section, spot_id } = wish;
    const { availabilities } = await get<Page>("/availabilities", {
      free_from: start_time,
      free_until: end_time,
      building_section: building_section ?? undefined,
      spot_id: spot_id ?? undefined,
    });
    return availabilities;
  },
});
