import { isTrustedUrl } from "../config/formats.ts";
import { reasonOf } from "../errors/reason.ts";
import { decodeUtf8, parseJsonObject } from "./json.ts";

/** For one fetch of the keys, the discovery document included. */
const TIMEOUT_MS = 5_000;

/** Many times the size of any provider's documents. */
const MAX_BYTES = 256 * 1_024;

/** Fetches the text of a JWKS document. */
export type JwksDownload = () => Promise<string>;

/** The JWKS at a known address. */
export function jwksAt(address: string): JwksDownload {
  const url = trustedUrl(address);
  return () => download(url, AbortSignal.timeout(TIMEOUT_MS));
}

/**
 * The JWKS that an issuer's discovery document points to (OpenID Connect Discovery, 4). The document
 * is read each time: keys left behind at an old address must not stay valid.
 */
export function jwksOfIssuer(issuer: string): JwksDownload {
  const discoveryUrl = trustedUrl(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  return async () => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const metadata = parseJsonObject(await download(discoveryUrl, signal));
    // Without this the document could point to another's keys (Discovery, 4.3).
    if (metadata.issuer !== issuer) throw new Error(`${discoveryUrl} describes another issuer`);
    return download(trustedUrl(String(metadata.jwks_uri)), signal);
  };
}

/** The discovery document is checked here too: it could name an address over plain http. */
function trustedUrl(address: string): URL {
  const url = URL.parse(address);
  if (url === null || !isTrustedUrl(url)) {
    throw new Error(`${address} is neither an https URL nor an http one on a loopback host`);
  }
  return url;
}

/** Fetches a small document from exactly this address: a redirect is a failure. */
async function download(url: URL, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, {
    redirect: "error",
    signal,
    headers: { accept: "application/json, application/jwk-set+json" },
  }).catch((cause) => {
    // fetch() says only that it failed; its cause says why.
    throw new Error(`${url} does not answer: ${reasonOf(cause.cause ?? cause)}`, { cause });
  });
  if (response.status !== 200) throw new Error(`${url} answered with status ${response.status}`);
  return decodeUtf8(await bodyOf(response));
}

/** Counts the bytes after decompression: the provider's Content-Length is not trusted. */
async function bodyOf(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new Error(`${response.url} sent more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
