import { hours } from "../support/building.ts";

export interface Change {
  readonly status?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** A body that sets times. It takes hours, so that test names are the same in every run. */
export const bodyOf = ({ status, from, to }: Change) => ({
  ...(status !== undefined && { status }),
  ...(from !== undefined && { start_time: hours(from) }),
  ...(to !== undefined && { end_time: hours(to) }),
});
