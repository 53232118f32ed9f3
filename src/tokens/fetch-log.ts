import type { Logger } from "../log/logger.ts";
import type { FetchObserver } from "./remote-keys.ts";

/** Each failed fetch of the issuer's keys has a line, and so has the first one that succeeds again. */
export function logKeyFetches(logger: Logger): FetchObserver {
  let isFailing = false;
  return (fetches, failure) => {
    if (failure === undefined) {
      if (isFailing) logger.info("the keys of AUTH_ISSUER were fetched again");
      isFailing = false;
      return;
    }
    isFailing = true;
    const reason = failure instanceof Error ? failure.message : String(failure);
    const ageSeconds = Math.round(fetches.ageSeconds());
    const problem = "the keys of AUTH_ISSUER cannot be fetched";
    if (Number.isFinite(ageSeconds)) {
      const consequence = "the old ones serve, and tokens of newer ones are refused with 503";
      logger.warn({ reason, ageSeconds }, `${problem}: ${consequence}`);
    } else {
      logger.warn({ reason }, `${problem}: all tokens are refused with 503 until they can`);
    }
  };
}
