import { updateQuery } from "../../routing.ts";

/** Opens the form for a window, on the screen where the person is. */
export const openClaimForm = (windowId: string, from?: number, until?: number): void =>
  updateQuery({
    window: windowId,
    from: from === undefined ? undefined : new Date(from).toISOString(),
    until: until === undefined ? undefined : new Date(until).toISOString(),
  });

export const closeClaimForm = (): void =>
  updateQuery({ window: undefined, from: undefined, until: undefined });
