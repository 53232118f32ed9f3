import { serviceUnavailable } from "../errors/problem.ts";
import { type Clock, isRecent } from "./clock.ts";
import type { JwksDownload } from "./jwks.ts";
import { type KeySource, type Keys, PUBLIC_KEY_ALGORITHMS, publicKeys } from "./keys.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Keys of this age still serve, while newer ones are fetched behind the requests' backs. */
const REFRESH_AGE = 5 * MINUTE;

/** Keys of this age serve only during an outage, so that a removed key is refused by then. */
const MAX_AGE = 10 * MINUTE;

/** So long a failed look counts as an outage. Later, the next look is worth a request's wait. */
const OUTAGE_MEMORY = MINUTE;

/** The provider is asked no more often, however many tokens with unknown keys come in. */
const PAUSE = 30 * SECOND;

/** Without any key every request fails, so we look again soon. */
const PAUSE_WITHOUT_KEYS = 2 * SECOND;

/**
 * The issuer's public keys, fetched when first needed and kept up to date by the requests that
 * use them. What a hanging or absent provider costs is one wait; what it breaks is nothing, as
 * long as we have ever had its keys.
 */
export function remoteKeys(download: JwksDownload, clock: Clock): KeySource {
  let held: { readonly document: string; readonly keys: Keys } | undefined;
  /** When we asked for them, not when they came: from then on they may have been out of date. */
  let heldSince = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  let refreshing: Promise<void> | undefined;

  async function ask(): Promise<void> {
    askedAt = clock();
    try {
      const document = await download();
      if (document !== held?.document) held = { document, keys: publicKeys(document) };
      heldSince = askedAt;
    } catch (cause) {
      failure = cause;
      failedAt = clock();
    } finally {
      refreshing = undefined;
    }
  }

  /** At most one question at a time, and a pause after each. Never rejects: see `failure`. */
  async function refresh(): Promise<void> {
    const pause = held === undefined ? PAUSE_WITHOUT_KEYS : PAUSE;
    if (!isRecent(askedAt, pause, clock())) refreshing ??= ask();
    await refreshing;
  }

  function mayServe(): boolean {
    const now = clock();
    const inOutage = isRecent(failedAt, OUTAGE_MEMORY, now);
    return held !== undefined && (inOutage || isRecent(heldSince, MAX_AGE, now));
  }

  function heldKeys(): Keys {
    if (held === undefined) throw serviceUnavailable(failure);
    return held.keys;
  }

  return {
    algorithms: PUBLIC_KEY_ALGORITHMS,
    async current() {
      if (!isRecent(heldSince, REFRESH_AGE, clock())) {
        const refreshed = refresh();
        if (!mayServe()) await refreshed;
      }
      return heldKeys();
    },
    async renewed() {
      await refresh();
      return heldKeys();
    },
  };
}
