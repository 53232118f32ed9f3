import {
  type CryptoKey,
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  type FetchImplementation,
  type JWSHeaderParameters,
} from "jose";
import { isTrustedUrl } from "../config/formats.ts";
import type { TokenConfig } from "../config/settings.ts";
import { type Problem, serviceUnavailable } from "../errors/problem.ts";
import { reasonOf } from "../errors/reason.ts";
import type { Logger } from "../log/logger.ts";
import { parseJsonObject } from "./json.ts";

export interface KeySource {
  /** The algorithms that the keys may be used with. The token does not decide (RFC 8725, 3.1). */
  readonly algorithms: string[];
  /**
   * The one key that fits a token's header: the same object until the keys are fetched again.
   *
   * @throws JOSEError where none fits, or more than one
   * @throws Problem 503 where none fits, and the issuer cannot be asked for newer ones
   */
  keyOf(header: JWSHeaderParameters): Promise<CryptoKey | Uint8Array>;
  /** Fetches the keys where they are old. */
  refresh(): Promise<void>;
  /** How the fetches went; undefined where nothing is fetched. */
  readonly fetches?: KeyFetches;
}

/** What the operator should know of the issuer's keys. */
export interface KeyFetches {
  /** Since the provider was asked for the keys that serve; Infinity before there are any. */
  ageSeconds(): number;
  failures(): number;
}

/** `Ed25519` is the newer name of what JOSE has called `EdDSA` (RFC 9864, 2.2). */
export const PUBLIC_KEY_ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];

/** For a provider that shares a secret with us: HS256 only, and no JWKS is fetched. */
export function sharedSecret(secret: string): KeySource {
  const bytes = Buffer.from(secret, "utf8");
  return { algorithms: ["HS256"], keyOf: async () => bytes, refresh: async () => {} };
}

const SECOND = 1_000;

/** Older keys are fetched again, so that a removed one is refused. */
const MAX_AGE = 300 * SECOND;

/** The least time between two fetches, however many tokens with unknown keys come in. */
const PAUSE = 5 * SECOND;

export const KEY_UNKNOWN = "no key of AUTH_ISSUER fits, and newer ones cannot be fetched";

/**
 * The issuer's public keys. Once fetched, they serve through an outage of the provider.
 *
 * jose fetches them for a token of an unknown key, but PAUSE after the last success only. The pause
 * after a failure is ours.
 */
export function remoteKeys({ issuer, jwksUrl }: TokenConfig, logger?: Logger): KeySource {
  /** When they were asked for, not when the answer came: the keys can change in between. */
  let heldSince = Number.NEGATIVE_INFINITY;
  /** The error of the last fetch, if it failed. */
  let failure: { readonly cause: unknown; readonly at: number } | undefined;
  let failures = 0;

  const isHeld = () => heldSince !== Number.NEGATIVE_INFINITY;
  const ageSeconds = () => (Date.now() - heldSince) / SECOND;

  function succeed(askedAt: number): void {
    heldSince = askedAt;
    if (failure !== undefined) logger?.info("the keys of AUTH_ISSUER were fetched again");
    failure = undefined;
  }

  function fail(at: number, cause: unknown): void {
    failure = { cause, at };
    failures += 1;
    logger?.warn(
      { reason: reasonOf(cause), ...(isHeld() && { ageSeconds: Math.round(ageSeconds()) }) },
      `the keys of AUTH_ISSUER cannot be fetched: ${
        isHeld()
          ? "the old ones serve, and tokens of newer ones are refused with 503"
          : "all tokens are refused with 503 until they can"
      }`,
    );
  }

  const unavailable = (): Problem => serviceUnavailable(isHeld() ? KEY_UNKNOWN : failure?.cause);

  const fetchKeys: FetchImplementation = async (url, options) => {
    if (failure !== undefined && isRecent(failure.at, PAUSE)) throw unavailable();
    const askedAt = Date.now();
    try {
      const address = jwksUrl === undefined ? await keysAddress(issuer, url, options) : url;
      const document = await download(address, options);
      createLocalJWKSet(JSON.parse(document)); // it checks the form
      succeed(askedAt);
      return new Response(document);
    } catch (cause) {
      fail(askedAt, cause);
      throw unavailable();
    }
  };

  const address = jwksUrl ?? `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const keyOf = createRemoteJWKSet(trustedUrl(address), {
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: PAUSE,
    timeoutDuration: 5 * SECOND,
    [customFetch]: fetchKeys,
  });
  return {
    algorithms: PUBLIC_KEY_ALGORITHMS,
    keyOf,
    async refresh() {
      if (!isRecent(heldSince, MAX_AGE)) await keyOf.reload().catch(() => {}); // the log has it
    },
    fetches: { ageSeconds, failures: () => failures },
  };
}

/**
 * Whether less than `span` has passed since that moment. A moment in the future, which a clock
 * that was set back leaves behind, is not recent.
 */
function isRecent(moment: number, span: number): boolean {
  const passed = Date.now() - moment;
  return passed >= 0 && passed < span;
}

/**
 * Where the issuer's discovery document says that the keys are (OpenID Connect Discovery, 4). It is
 * read each time: keys left behind at an old address must not stay valid.
 */
async function keysAddress(issuer: string, ...[url, options]: Fetch): Promise<string> {
  const metadata = parseJsonObject(await download(url, options));
  // Without this the document could point to another's keys (Discovery, 4.3).
  if (metadata.issuer !== issuer) throw new Error(`${url} describes another issuer`);
  return trustedUrl(String(metadata.jwks_uri)).href;
}

/** The discovery document could name an address over plain http. */
function trustedUrl(address: string): URL {
  const url = URL.parse(address);
  if (url === null || !isTrustedUrl(url)) {
    throw new Error(`${address} is neither an https URL nor an http one on a loopback host`);
  }
  return url;
}

type Fetch = Parameters<FetchImplementation>;

/** Fetches a document from exactly this address: a redirect is a failure. */
async function download(...[url, options]: Fetch): Promise<string> {
  const response = await fetch(url, options).catch((cause) => {
    // fetch() says only that it failed; its cause says why.
    throw new Error(`${url} does not answer: ${reasonOf(cause.cause ?? cause)}`, { cause });
  });
  if (response.status !== 200) throw new Error(`${url} answered with status ${response.status}`);
  return response.text();
}
