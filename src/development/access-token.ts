import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { OperatorError } from "../errors/operator-error.ts";
import { type Account, createAccounts, people } from "./people.ts";
import { loadSigningKey, SIGNING_ALGORITHM } from "./signing-key.ts";

/** The audience of access tokens if no other provider is set. */
export const developmentAudience = "parking-api";

/** Swagger UI and all web apps in development share this client. */
export const CLIENT_ID = "parking-docs";

/** The client of the page at /, which renews its tokens. */
export const WEB_CLIENT_ID = "parking-web";

/** The path below which the provider answers. */
export const MOUNT_PATH = "/identity";

/** An hour, in seconds. */
export const ACCESS_TOKEN_LIFETIME = 60 * 60;

export const issuerAt = (origin: string): string => `${origin}${MOUNT_PATH}`;

export const emailClaims = ({ email }: Account) => ({ email, email_verified: true });

/** Signs an access token as the provider does, with its key. The service need not be running. */
export async function developmentToken(
  email: string,
  { dataDir, origin }: { readonly dataDir: string; readonly origin: string },
): Promise<string> {
  const account = createAccounts(Object.values(people)).withEmail(email);
  if (account === undefined) {
    throw new OperatorError(`${JSON.stringify(email)} is not an e-mail address`);
  }
  const key = await loadSigningKey(dataDir);
  return new SignJWT({ ...emailClaims(account), client_id: CLIENT_ID })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: "at+jwt", kid: key.kid })
    .setSubject(account.id)
    .setIssuer(issuerAt(origin))
    .setAudience(developmentAudience)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(`${ACCESS_TOKEN_LIFETIME}s`)
    .sign(key);
}
