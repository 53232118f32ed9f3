import { decodeUtf8 } from "./json.ts";

/** Many times the size of any provider's documents. */
const MAX_BYTES = 256 * 1_024;

/** Hosts that nobody else can answer for, as `URL` writes them: only there is plain http safe. */
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether keys may come from there: https, or http on a loopback host. */
export const isTrusted = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname));

/** An address that keys may come from. */
export function trustedUrl(address: string): URL {
  const url = URL.parse(address);
  if (url === null || !isTrusted(url)) {
    throw new Error(`${address} is neither an https URL nor an http one on a loopback host`);
  }
  return url;
}

/** Fetches a small document from exactly this address: a redirect is a failure. */
export async function download(url: URL, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, {
    redirect: "error",
    signal,
    headers: { accept: "application/json, application/jwk-set+json" },
  });
  if (response.status !== 200) throw new Error(`${url} answered with status ${response.status}`);
  return decodeUtf8(await bodyOf(response));
}

/** Counts as it reads, after decompression: no header of the provider's is taken for the size. */
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
