import { expect } from "@jest/globals";
import { createTokenVerifier, type TokenVerifier } from "../../src/tokens/verifier.ts";
import { type KeyServer, startKeyServer } from "../support/key-server.ts";
import {
  type Claims,
  compactToken,
  hmacSigner,
  makeKey,
  type Part,
  type Signer,
  type SigningKey,
  signerOf,
  usualClaims,
} from "../support/tokens.ts";

/** The clock of every lab stands still, so that tests hit time limits exactly. */
export const NOW = Date.UTC(2027, 0, 1, 10);
export const NOW_SECONDS = NOW / 1_000;

export const AUDIENCE = "parking";
export const SUB = "01912d68-783e-7a03-8467-5661c1243ad4";
/** The caller of the usual claims. */
export const CALLER = { sub: SUB, iat: NOW_SECONDS };
export const SECRET = "a secret of no less than thirty-two bytes";

/** A verifier, the means to make tokens that it accepts, and an attacker. */
export interface Lab {
  readonly verifier: TokenVerifier;
  readonly header: Claims;
  readonly claims: Claims;
  readonly signer: Signer;
  readonly attacker: KeyServer;
  readonly attackerKey: SigningKey;
  close(): Promise<void>;
}

/** The good token of a lab, with another part where one is given. */
export const tokenOf = (lab: Lab, payload: Part = lab.claims, header: Part = lab.header): string =>
  compactToken(header, payload, lab.signer);

/** The attacker's key has the id of the real key, and is served where the attacker's tokens say. */
async function startAttacker(kid: string) {
  const attackerKey = makeKey("ES256", kid);
  return { attackerKey, attacker: await startKeyServer(attackerKey.publicJwk) };
}

async function publicKeyLab(): Promise<Lab> {
  const key = makeKey("ES256", "the-key");
  const provider = await startKeyServer(key.publicJwk);
  const { attacker, attackerKey } = await startAttacker(key.kid);
  const settings = { issuer: provider.origin, audience: AUDIENCE, clock: () => NOW };
  return {
    verifier: createTokenVerifier(settings),
    header: { alg: key.alg, kid: key.kid, typ: "at+jwt" },
    claims: { ...usualClaims(provider.origin, AUDIENCE, NOW), sub: SUB },
    signer: signerOf(key.alg, key.privateKey),
    attacker,
    attackerKey,
    async close() {
      await Promise.all([provider.close(), attacker.close()]);
    },
  };
}

async function sharedSecretLab(): Promise<Lab> {
  const { attacker, attackerKey } = await startAttacker("the-key");
  const issuer = "https://issuer.example";
  // The attacker's JWKS is set here too: with a secret, no JWKS is fetched.
  const jwksUrl = `${attacker.origin}/jwks`;
  return {
    verifier: createTokenVerifier({
      issuer,
      audience: AUDIENCE,
      jwksUrl,
      secret: SECRET,
      clock: () => NOW,
    }),
    header: { alg: "HS256", typ: "JWT" },
    claims: { ...usualClaims(issuer, AUDIENCE, NOW), sub: SUB },
    signer: hmacSigner(SECRET),
    attacker,
    attackerKey,
    close: attacker.close,
  };
}

export const labs = { "public keys": publicKeyLab, "a shared secret": sharedSecretLab };

/** Every refusal looks the same to the client; the log's `cause` has the reason. */
export async function expectRefusal(
  verifier: TokenVerifier,
  authorization: string,
  because: RegExp,
): Promise<void> {
  await expect(verifier.verify(authorization)).rejects.toMatchObject({
    name: "Problem",
    status: 401,
    message: "Authentication required",
    headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
    details: undefined,
    cause: { message: expect.stringMatching(because) },
  });
}
