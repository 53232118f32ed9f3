import { closing, updateQuery } from "../../routing.ts";
import { iso } from "../../time/zone.ts";

/** Opens the form for a window, on the current screen. */
export const openClaimForm = (windowId: string, from?: number, until?: number): void =>
  updateQuery({
    window: windowId,
    from: from === undefined ? undefined : iso(from),
    until: until === undefined ? undefined : iso(until),
  });

/** Also closes the form for another window, because the answer to a claim replaces its form. */
export const closeClaimForm = (): void => closing("window", "from", "until", "claimed")();

/** Replaces the form with the answer. */
export function showAnswer(claimId: string): void {
  const form = { window: undefined, from: undefined, until: undefined };
  updateQuery({ ...form, claimed: claimId }, { replace: true });
}
