import { decodeUtf8, type JsonObject, parseJsonObject } from "./json.ts";

/**
 * Parameters that bring a key, point to one, or change how the token is read. Keys come from the
 * issuer alone, so a token that offers its own is refused before anyone could follow it
 * (RFC 8725, 3.10). We understand no critical extension (RFC 7515, 4.1.11; RFC 7797, 3).
 */
const REFUSED_PARAMETERS = ["jku", "jwk", "x5u", "x5c", "crit", "b64"];

/** A plain JWT, or an access token as RFC 9068, 2.1 marks it: not a logout or other token. */
const ACCEPTED_TYPES = ["jwt", "at+jwt"];

/**
 * Judges what can be judged before any key is looked for: that the token is a compact JWS, in the
 * one spelling it can have, and that its header asks for nothing we do not do.
 */
export function checkHeader(token: string, algorithms: readonly string[]): void {
  const parts = token.split(".");
  const [encodedHeader = ""] = parts;
  if (parts.length !== 3) throw new Error("the token is not a compact JWS");
  if (!parts.every(isCanonicalBase64url)) throw new Error("a part is not canonical base64url");
  const header = parseJsonObject(decodeUtf8(Buffer.from(encodedHeader, "base64url")));
  checkParameters(header, algorithms);
}

function checkParameters(header: JsonObject, algorithms: readonly string[]): void {
  const { alg, kid, typ } = header;
  const refused = REFUSED_PARAMETERS.find((name) => Object.hasOwn(header, name));
  if (refused !== undefined) throw new Error(`the header has ${refused}`);
  if (typeof alg !== "string" || !algorithms.includes(alg)) throw new Error("alg is not allowed");
  if (kid !== undefined && typeof kid !== "string") throw new Error("kid is not a string");
  if (typ !== undefined && !isAcceptedType(typ)) throw new Error("typ is not an access token's");
}

/** In any case, with `application/` or without (RFC 7515, 4.1.9). */
const isAcceptedType = (typ: unknown): boolean =>
  typeof typ === "string" &&
  ACCEPTED_TYPES.includes(typ.toLowerCase().replace(/^application\//, ""));

/** Unused bits, padding or foreign characters would let one token be spelt in many ways. */
const isCanonicalBase64url = (part: string): boolean =>
  part !== "" && Buffer.from(part, "base64url").toString("base64url") === part;
