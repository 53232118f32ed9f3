import type * as oauth from "oauth4webapi";

/**
 * The tokens of the person, in memory only: nothing that could be stolen outlives the page. For the
 * tab, the ID token is kept: it opens nothing, but some providers want it as a hint at a reload.
 */
let held: oauth.TokenEndpointResponse | undefined;
let renewAt = Number.POSITIVE_INFINITY;
let endsAt = Number.POSITIVE_INFINITY;

const HINT = "id-token";

/** A token that ends sooner is renewed before it is used, in milliseconds. */
const MARGIN = 30_000;

export const heldTokens = (): oauth.TokenEndpointResponse | undefined => held;

export function holdTokens(received: oauth.TokenEndpointResponse): void {
  // Some providers keep the refresh token, and some send the ID token only once.
  held = { ...held, ...received };
  const { expires_in: seconds } = received;
  const lifetime = seconds === undefined ? Number.POSITIVE_INFINITY : seconds * 1_000;
  endsAt = Date.now() + lifetime;
  // A short one is used for half of its time, or it would be renewed for ever.
  renewAt = endsAt - Math.min(MARGIN, lifetime / 2);
  if (received.id_token !== undefined) sessionStorage.setItem(HINT, received.id_token);
}

export function dropTokens(): void {
  held = undefined;
}

export const isDue = (): boolean => renewAt <= Date.now();
export const hasEnded = (): boolean => endsAt <= Date.now();

/** Who was last signed in, for the provider. */
export const hint = (): string | undefined => sessionStorage.getItem(HINT) ?? undefined;
