import { type Clock, isRecent } from "./clock.ts";
import { download, trustedUrl } from "./download.ts";
import { parseJsonObject } from "./json.ts";

/** For one look at the provider, the discovery document included. */
const TIMEOUT_MS = 5_000;

/** So long a discovered address is believed, lest keys left behind at an old one live on. */
const ADDRESS_AGE_MS = 5 * 60 * 1_000;

/** Fetches the text of a JWKS document. */
export type JwksDownload = () => Promise<string>;

/** The JWKS at a known address. */
export function jwksAt(address: string): JwksDownload {
  const url = trustedUrl(address);
  return () => download(url, AbortSignal.timeout(TIMEOUT_MS));
}

/**
 * The JWKS that an issuer's discovery document points to (OpenID Connect Discovery, 4). The
 * address is kept, so that a flood of unknown keys costs the issuer one request and not two, and
 * looked up again once it is old or has failed.
 */
export function jwksOfIssuer(issuer: string, clock: Clock): JwksDownload {
  const discoveryUrl = trustedUrl(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  let known: { readonly url: URL; readonly since: number } | undefined;

  async function jwksUrl(signal: AbortSignal): Promise<URL> {
    if (known !== undefined && isRecent(known.since, ADDRESS_AGE_MS, clock())) return known.url;
    known = { url: await discover(issuer, discoveryUrl, signal), since: clock() };
    return known.url;
  }

  return async () => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      return await download(await jwksUrl(signal), signal);
    } catch (cause) {
      known = undefined;
      throw cause;
    }
  };
}

/** The document must be the issuer's own, or it could lend us another's keys (Discovery, 4.3). */
async function discover(issuer: string, url: URL, signal: AbortSignal): Promise<URL> {
  const metadata = parseJsonObject(await download(url, signal));
  if (metadata.issuer !== issuer) throw new Error(`${url} describes another issuer`);
  return trustedUrl(String(metadata.jwks_uri));
}
