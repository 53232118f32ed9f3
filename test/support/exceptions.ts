import { expect } from "@jest/globals";
import { contradictions } from "../concurrency/consistency.ts";
import {
  type Building,
  type Claim,
  claimOf,
  hours,
  type Spot,
  spotOf,
  windowOf,
} from "./building.ts";
import { freeOf, shownOf } from "./free-time.ts";
import type { Person } from "./person.ts";

export interface Exception {
  readonly id: string;
  readonly spot_id: string | null;
  readonly start_time: string;
  readonly end_time: string;
  readonly kind: "keep" | "share";
}
export interface Answered {
  readonly exception: Exception;
  readonly claims: readonly Claim[];
}

/** Makes an exception from and to these hours from now; without a spot, of all own spots. */
export async function except(
  owner: Person,
  kind: Exception["kind"],
  spot: Spot | null,
  from: number,
  to: number,
): Promise<Answered> {
  const times = { start_time: hours(from), end_time: hours(to) };
  const body = { kind, spot_id: spot?.id ?? null, ...times };
  return (await owner.post<Answered>("/exceptions", body, 201)).body;
}

export const undo = (owner: Person, { exception }: Answered) =>
  owner.delete(`/exceptions/${exception.id}`, 200);

/** A spot whose only window was claimed, is free again, and then withdrawn: its owner needs the spot. */
export async function withdrawn(building: Building, section: string) {
  const [owner, claimer] = [await building.resident(), await building.resident()];
  const spot = await spotOf(owner, section);
  const { id } = await claimOf(claimer, await windowOf(owner, spot));
  await claimer.put(`/claims/${id}`, { status: "cancelled" }, 200);
  await except(owner, "keep", spot, 0, 6);
  return { owner, spot };
}

/** The hour of a time, counted as `hours` does. */
const hourOf = (time: string): number => (Date.parse(time) - Date.parse(hours(0))) / 3_600_000;

/** What is free of a spot, from and to which hour. */
export const offeredHours = async (anyone: Person, spot: Spot) =>
  (await shownOf(anyone, spot))
    .flatMap(freeOf)
    .map(({ start_time, end_time }) => [hourOf(start_time), hourOf(end_time)]);

/** The counts are right, and no row contradicts another. */
export async function expectOrder(building: Building): Promise<void> {
  expect(await building.rows("table private.count_drifts")).toEqual([]);
  expect(await building.rows(contradictions)).toEqual([]);
}
