import type { SecurityScheme } from "./types.ts";

/** Where a client gets a token with OAuth 2.0's authorization code. */
export interface SignIn {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
}

const VERIFICATION = "It is verified as RFC8725 advises.";

/** A client may use any one of them. */
export const securitySchemes = (signIn?: SignIn): Readonly<Record<string, SecurityScheme>> => ({
  ...(signIn && { signIn: authorizationCode(signIn) }),
  token: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: `An access token of the building's identity provider. ${VERIFICATION}`,
  },
});

const authorizationCode = (signIn: SignIn): SecurityScheme => ({
  type: "oauth2",
  description: `Development only: sign in as anyone, without a password. ${VERIFICATION}`,
  flows: {
    authorizationCode: {
      ...signIn,
      refreshUrl: signIn.tokenUrl,
      scopes: { openid: "who you are", email: "your address" },
    },
  },
});
