import type { Spot, Window } from "../../support/building.ts";
import { hours } from "../../support/building.ts";
import type { Resident } from "./open-page.ts";

let spots = 0;

export async function registerSpot(owner: Resident, building_section = "Browser"): Promise<Spot> {
  spots += 1;
  const { body } = await owner.ask<{ spot: Spot }>("POST", "/parking-spots", {
    spot_number: `W-${process.pid}-${spots}`,
    building_section,
  });
  return body.spot;
}

/** A spot with a window; without times, from 20 to 26 hours from now. */
export async function offerOf(
  owner: Resident,
  start_time = hours(20),
  end_time = hours(26),
): Promise<{ spot: Spot; window: Window }> {
  const spot = await registerSpot(owner);
  const published = await owner.ask<{ availability: Window }>("POST", "/availabilities", {
    spot_id: spot.id,
    start_time,
    end_time,
  });
  return { spot, window: published.body.availability };
}
