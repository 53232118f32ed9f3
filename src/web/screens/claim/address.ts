import { closing, updateQuery } from "../../routing.ts";

/** Opens the form for a window, on the screen where the person is. */
export const openClaimForm = (windowId: string, from?: number, until?: number): void =>
  updateQuery({
    window: windowId,
    from: from === undefined ? undefined : new Date(from).toISOString(),
    until: until === undefined ? undefined : new Date(until).toISOString(),
  });

/** Also the form for another window: what has been claimed is shown in its place. */
export const closeClaimForm = (): void => closing("window", "from", "until", "claimed")();

/** The answer takes the place of the form. */
export function showAnswer(claimId: string): void {
  const form = { window: undefined, from: undefined, until: undefined };
  updateQuery({ ...form, claimed: claimId }, { replace: true });
}
