import { hours } from "../support/building.ts";

export interface Change {
  readonly status?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** A body that sets times: test names tell them in hours, which are the same whenever they run. */
export const bodyOf = ({ status, from, to }: Change) => ({
  ...(status !== undefined && { status }),
  ...(from !== undefined && { start_time: hours(from) }),
  ...(to !== undefined && { end_time: hours(to) }),
});
