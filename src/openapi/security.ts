import { MOUNT_PATH } from "../development/access-token.ts";
import type { SecurityScheme } from "./types.ts";

/** Where a token is to be had by OAuth 2.0's authorization code. */
export interface SignIn {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
}

/** Without an origin: the service may be visited by any name of this machine. */
export const developmentSignIn: SignIn = {
  authorizationUrl: `${MOUNT_PATH}/auth`,
  tokenUrl: `${MOUNT_PATH}/token`,
};

/** Any one of them will do. */
export const securitySchemes = (signIn?: SignIn): Readonly<Record<string, SecurityScheme>> => ({
  ...(signIn && { signIn: authorizationCode(signIn) }),
  token: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "An access token of the building's identity provider.",
  },
});

const authorizationCode = (signIn: SignIn): SecurityScheme => ({
  type: "oauth2",
  description: "Development only: be anyone, without a password.",
  flows: {
    authorizationCode: { ...signIn, scopes: { openid: "who you are", email: "your address" } },
  },
});
