import { updateQuery } from "../../routing.ts";

const closed = { window: undefined, from: undefined, until: undefined, claimed: undefined };

/** Opens the form for a window, on the screen where the person is. */
export const openClaimForm = (windowId: string, from?: number, until?: number): void =>
  updateQuery({
    window: windowId,
    from: from === undefined ? undefined : new Date(from).toISOString(),
    until: until === undefined ? undefined : new Date(until).toISOString(),
  });

/** Going back does not open it again. */
export const closeClaimForm = (): void => updateQuery(closed, { replace: true });

/** The answer takes the place of the form. */
export const showAnswer = (claimId: string): void =>
  updateQuery({ ...closed, claimed: claimId }, { replace: true });
