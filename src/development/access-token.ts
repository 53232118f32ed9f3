import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { ownTokens } from "../config/own-issuer.ts";
import { OperatorError } from "../errors/operator-error.ts";
import {
  ACCESS_TOKEN_LIFETIME,
  emailClaims,
  SIGNING_ALGORITHM,
} from "../identity/configuration.ts";
import { createAccounts, people } from "./people.ts";
import { loadSigningKey } from "./signing-key.ts";

/** Swagger UI and all web apps in development share this client. */
export const CLIENT_ID = "parking-docs";

/** Signs an access token as the provider does, with its key. The service need not be running. */
export async function developmentToken(
  email: string,
  { dataDir, origin }: { readonly dataDir: string; readonly origin: string },
): Promise<string> {
  const account = createAccounts(Object.values(people)).withEmail(email);
  if (account === undefined) {
    throw new OperatorError(`${JSON.stringify(email)} is not an e-mail address`);
  }
  const { issuer, audience } = ownTokens(origin);
  const key = await loadSigningKey(dataDir);
  return new SignJWT({ ...emailClaims(account), client_id: CLIENT_ID })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: "at+jwt", kid: key.kid })
    .setSubject(account.id)
    .setIssuer(issuer)
    .setAudience(audience)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(`${ACCESS_TOKEN_LIFETIME}s`)
    .sign(key);
}
