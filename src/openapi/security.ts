import type { SecurityScheme } from "./types.ts";

/** Where a client gets a token with OAuth 2.0's authorization code. */
export interface SignIn {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
}

/** A client may use any one of them. */
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
  description: "Development only: sign in as anyone, without a password.",
  flows: {
    authorizationCode: { ...signIn, scopes: { openid: "who you are", email: "your address" } },
  },
});
