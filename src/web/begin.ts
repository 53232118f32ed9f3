/**
 * The index contains this script. While the browser fetches the script of the page, it requests the
 * data of the first screen: on a slow network, the two would otherwise take place one after the
 * other. The page uses these answers for the same requests (api/ask.ts).
 */
import type { ClaimLimits } from "./api/building.ts";
import { boardOf, pageOf } from "./api/query.ts";
import { SILENCE } from "./api/send.ts";
import { soonest, usualEnd } from "./screens/claim/times.ts";
import { hoursAround } from "./screens/now/spans.ts";
import { settings } from "./settings.ts";
import { BUILDING_KEY, keptValueOf } from "./sign-in/kept.ts";
import { storedTokens } from "./sign-in/tokens.ts";
import { now } from "./time/now.ts";
import { dateOf, timeZone } from "./time/zone.ts";

const at = Date.now();
const tokens = storedTokens();
const building = keptValueOf<ClaimLimits>(tokens?.subject, BUILDING_KEY)?.value;
const isFirstScreen = location.pathname + location.search === "/";

if (isFirstScreen && tokens && tokens.renewAt > at && building) {
  const token = tokens.accessToken;
  const headers = { Authorization: `Bearer ${token}` };
  const answerTo = async (path: string): Promise<unknown> => {
    const signal = AbortSignal.timeout(SILENCE);
    const response = await fetch(settings.basePath + path, { headers, signal });
    return response.ok ? response.json() : undefined;
  };
  const ask = (path: string) => [path, answerTo(path).catch(() => undefined)] as const;
  const start = soonest(now(), building);
  const hours = hoursAround({ start, end: usualEnd(start, building) });
  const answers = new Map([ask(pageOf("/parking-spots", {}, 0)), ask(boardOf(...hours))]);
  globalThis.prefetched = { token, at, answers };
  // The first date that a browser formats takes a phone 45 ms. Here it waits for the network
  // anyway.
  dateOf(now(), timeZone());
}
