import { type Building, building } from "../time/building.ts";
import { get } from "./client.ts";

const KEPT_AS = "building";

/** What a tab kept is shown at once, and read again behind it. */
export async function loadBuilding(): Promise<void> {
  const kept = sessionStorage.getItem(KEPT_AS);
  if (kept === null) return readBuilding();
  building.set(JSON.parse(kept));
  readBuilding().catch(() => {});
}

async function readBuilding(): Promise<void> {
  const answer = await get<{ readonly building: Building }>("/building");
  sessionStorage.setItem(KEPT_AS, JSON.stringify(answer.building));
  const { name, time_zone } = building.get();
  // Nothing is drawn again while nothing has changed.
  if (answer.building.name !== name || answer.building.time_zone !== time_zone) {
    building.set(answer.building);
  }
}
