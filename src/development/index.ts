/**
 * The only door to this folder: an identity provider without passwords, and a building to try the
 * service on. It is loaded with import() and only for development, so that a service in production
 * has no part of it in memory.
 */
import type { Middleware } from "koa";
import type { ServiceConfig, TokenConfig, WebConfig } from "../config/config.ts";
import type { SignIn } from "../openapi/description.ts";
import {
  developmentAudience,
  developmentToken,
  issuerAt,
  MOUNT_PATH,
  WEB_CLIENT_ID,
} from "./access-token.ts";
import { createIdentityProvider } from "./identity-provider.ts";
import { introductionTo } from "./introduction.ts";
import { isLoopback } from "./loopback.ts";
import { people } from "./people.ts";

export { fillDemoBuilding } from "./demo-building.ts";

export interface DevelopmentSignIn {
  /** Whose tokens the service accepts: this provider's. */
  readonly tokens: TokenConfig;
  /** Answers everything below /identity. */
  readonly middleware: Middleware;
  /** Where /docs sends people to sign in. */
  readonly signIn: SignIn;
  /** Whether an origin is that of a web app on this machine, which may read all answers. */
  readonly isOfWebApp: (origin: string) => boolean;
  /** For the person at the terminal. */
  readonly introduction: string;
  /** How the page at / signs people in. */
  readonly web: WebConfig;
}

/** What this provider issues for a service that answers at `origin`. */
export const developmentTokens = (origin: string): TokenConfig => ({
  issuer: issuerAt(origin),
  audience: developmentAudience,
});

/** The identity provider of a service that answers at `origin`. */
export async function developmentSignIn(
  config: ServiceConfig,
  origin: string,
): Promise<DevelopmentSignIn> {
  const { dataDir } = config;
  const tokens = developmentTokens(origin);
  const { audience } = tokens;
  const residents = Object.values(people);
  const provider = await createIdentityProvider({ origin, audience, dataDir, people: residents });
  return {
    tokens,
    middleware: provider.middleware,
    // Without an origin: people may open the service by any name of this machine.
    signIn: { authorizationUrl: `${MOUNT_PATH}/auth`, tokenUrl: `${MOUNT_PATH}/token` },
    isOfWebApp: isLoopback,
    web: { clientId: WEB_CLIENT_ID, scopes: "openid email" },
    introduction: introductionTo(config, origin),
  };
}

/** A token as this provider issues it. The service need not be running. */
export const tokenFor = (
  email: string,
  { dataDir, origin }: { readonly dataDir: string; readonly origin: string },
): Promise<string> =>
  developmentToken({
    dataDir,
    origin,
    audience: developmentAudience,
    email,
    people: Object.values(people),
  });
