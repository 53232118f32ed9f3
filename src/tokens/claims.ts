import type { TokenConfig } from "../config/settings.ts";
import type { JsonObject } from "../formats.ts";
import { decodeUtf8, parseJsonObject } from "./json.ts";

/**
 * Header parameters that carry a key, point to one, or change how the token is read. Keys come
 * from the issuer only, so a token that brings its own is refused before anything follows it
 * (RFC 8725, 3.10). No critical extension is supported (RFC 7515, 4.1.11; RFC 7797, 3).
 */
const REFUSED_PARAMETERS = ["jku", "jwk", "x5u", "x5c", "crit", "b64"];

/** A plain JWT, or an access token as RFC 9068, 2.1 marks it: not a logout or other token. */
const ACCEPTED_TYPES = ["jwt", "at+jwt"];

/** Claims of ID tokens (OpenID Connect Core, 2) and of logout tokens (Back-Channel Logout, 2.4). */
const FOREIGN_CLAIMS = ["nonce", "at_hash", "c_hash", "events"];

/** Claims in which providers name the kind of a token, and the kinds that are no access token. */
const KIND_CLAIMS = ["typ", "token_use", "token_type"];
const FOREIGN_KINDS = ["id", "refresh", "offline", "logout"];

/** What is wrong with a token. The first fault is why it is refused; check:token names all. */
type Faults = Iterable<string>;

export function refuse(faults: Faults): void {
  for (const fault of faults) throw new Error(fault);
}

/** The header of a compact JWS in its one canonical spelling. */
export function headerOf(token: string): JsonObject {
  const parts = token.split(".");
  const [encodedHeader = ""] = parts;
  if (parts.length !== 3) throw new Error("the token is not a compact JWS");
  if (!parts.every(isCanonicalBase64url)) throw new Error("a part is not canonical base64url");
  return parseJsonObject(decodeUtf8(Buffer.from(encodedHeader, "base64url")));
}

/** A header may ask for nothing that we do not support. */
export function* headerFaults(header: JsonObject, algorithms: readonly string[]): Faults {
  const { alg, kid, typ } = header;
  const refused = REFUSED_PARAMETERS.find((name) => Object.hasOwn(header, name));
  if (refused !== undefined) yield `the header has ${refused}`;
  if (typeof alg !== "string" || !algorithms.includes(alg)) yield "alg is not allowed";
  if (kid !== undefined && typeof kid !== "string") yield "kid is not a string";
  if (typ !== undefined && !isAcceptedType(typ)) yield "typ is not an access token's";
}

/** In any case, with `application/` or without (RFC 7515, 4.1.9). */
const isAcceptedType = (typ: unknown): boolean =>
  typeof typ === "string" &&
  ACCEPTED_TYPES.includes(typ.toLowerCase().replace(/^application\//, ""));

/** Unused bits, padding or foreign characters would allow many spellings of one token. */
const isCanonicalBase64url = (part: string): boolean =>
  part !== "" && Buffer.from(part, "base64url").toString("base64url") === part;

/** It has to be an access token from our issuer for us (RFC 8725, 3.8, 3.9 and 3.12). */
export function* recipientFaults(claims: JsonObject, { issuer, audience }: TokenConfig): Faults {
  if (claims.iss !== issuer) yield "iss is not AUTH_ISSUER";
  if (!audiencesOf(claims.aud).includes(audience)) yield "aud does not contain AUTH_AUDIENCE";
  const foreign = FOREIGN_CLAIMS.find((name) => Object.hasOwn(claims, name));
  if (foreign !== undefined) yield `an access token has no ${foreign}`;
  const kind = KIND_CLAIMS.find((name) => isForeignKind(claims[name]));
  if (kind !== undefined) yield `${kind} is not an access token's`;
}

/** One string, or an array that contains only strings (RFC 7519, 4.1.3). */
function audiencesOf(aud: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  return list.every((one) => typeof one === "string") ? list : [];
}

const isForeignKind = (kind: unknown): boolean =>
  typeof kind === "string" && FOREIGN_KINDS.includes(kind.toLowerCase());
