import type { Claim, Spot, Window } from "../../support/building.ts";
import { hours } from "../../support/building.ts";
import { dayAfter } from "../../support/patterns.ts";
import { until } from "../../support/waiting.ts";
import type { Resident, World } from "./open-page.ts";

/** Times at which the demo building offers nothing. */
export const [FROM, UNTIL] = [hours(2_000), hours(2_003)];

/** At this time of a day, which is so many days from now. */
export const at = (days: number, time: string): string => `${dayAfter(days)}T${time}:00.000Z`;

let spots = 0;

export async function registerSpot(owner: Resident, building_section = "Browser"): Promise<Spot> {
  spots += 1;
  const { body } = await owner.ask<{ spot: Spot }>("POST", "/parking-spots", {
    spot_number: `W-${process.pid}-${spots}`,
    building_section,
  });
  return body.spot;
}

/** Publishes a window; without times, from 20 to 26 hours from now. */
export async function windowOf(
  owner: Resident,
  { id: spot_id }: Spot,
  start_time = hours(20),
  end_time = hours(26),
): Promise<Window> {
  const body = { spot_id, start_time, end_time };
  return (await owner.ask<{ availability: Window }>("POST", "/availabilities", body)).body
    .availability;
}

/** A spot with a window. */
export async function offerOf(
  owner: Resident,
  start_time?: string,
  end_time?: string,
): Promise<{ spot: Spot; window: Window }> {
  const spot = await registerSpot(owner);
  return { spot, window: await windowOf(owner, spot, start_time, end_time) };
}

/** Claims a window, or the part of it that is given, perhaps for a guest. */
export async function claimOf(
  claimer: Resident,
  { id: availability_id, start_time, end_time }: Omit<Window, "spot_id" | "is_claimed">,
  more: object = {},
): Promise<Claim> {
  const body = { availability_id, start_time, end_time, ...more };
  const answer = await claimer.ask<{ claim: Claim }>("POST", "/claims", body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.claim;
}

/** A claim of this person at the spot of a new neighbour. */
export async function claimFor(
  world: World,
  claimer: Resident,
  start_time?: string,
  end_time?: string,
) {
  const owner = await world.person("Owner");
  const { spot, window } = await offerOf(owner, start_time, end_time);
  return { owner, spot, window, claim: await claimOf(claimer, window) };
}

/** A claim that has begun. It begins later each time that making it took longer than that. */
export async function runningClaim(
  owner: Resident,
  claimer: Resident,
  end_time = hours(3),
  windowEnd = end_time,
): Promise<{ spot: Spot; window: Window; claim: Claim }> {
  for (let lead = 2_000; ; lead *= 2) {
    const spot = await registerSpot(owner);
    const start_time = new Date(Date.now() + lead).toISOString();
    const window = await windowOf(owner, spot, start_time, windowEnd);
    const body = { availability_id: window?.id ?? spot.id, start_time, end_time };
    const { claim } = (await claimer.ask<{ claim?: Claim }>("POST", "/claims", body)).body;
    if (claim === undefined) continue;
    await until("the claim begins", () => Date.now() > Date.parse(claim.start_time));
    return { spot, window, claim };
  }
}

export const claimsOf = (claimer: Resident) => claimer.read<readonly Claim[]>("/claims");

export const windowsOf = (owner: Resident) =>
  owner.read<readonly Window[]>(`/availabilities?owner_id=${owner.id}`);

export async function messagesOf(person: Resident): Promise<string> {
  const notifications = await person.read<readonly { message: string }[]>("/notifications");
  return notifications.map(({ message }) => message).join("\n");
}
