/** The path below which the service's own identity provider answers. */
export const MOUNT_PATH = "/identity";

/** The client of the page at /, which renews its tokens. */
export const WEB_CLIENT_ID = "parking-web";

export const issuerAt = (origin: string): string => `${origin}${MOUNT_PATH}`;

/** The tokens that a service at this origin issues itself. */
export const ownTokens = (origin: string) => ({
  issuer: issuerAt(origin),
  audience: "parking-api",
});

/** How its page signs people in. */
export const ownWeb = { clientId: WEB_CLIENT_ID, scopes: "openid email" };
/** The page of a building where people sign in by mail also has what belongs to that. */
export const mailWeb = { ...ownWeb, signIn: "mail" } as const;

/** What the sign-in by mail needs, and what belongs to an identity provider of others. */
const NEEDED = ["PUBLIC_URL", "SMTP_URL", "MAIL_FROM"];
const OF_OTHERS = [
  "AUTH_ISSUER",
  "AUTH_AUDIENCE",
  "AUTH_JWKS_URL",
  "AUTH_JWT_SECRET",
  "AUTH_GROUPS_CLAIM",
  "WEB_CLIENT_ID",
];

/** What is wrong with the other settings where people sign in by mail. */
export const ownProblems = (isSet: (name: string) => boolean): readonly string[] => [
  ...NEEDED.filter((name) => !isSet(name)).map((name) => `${name}: is required with SIGN_IN=mail`),
  ...(isSet("DATABASE_URL") && !isSet("IDENTITY_SECRET")
    ? ["IDENTITY_SECRET: is required with SIGN_IN=mail and DATABASE_URL"]
    : []),
  ...OF_OTHERS.filter(isSet).map((name) => `${name}: must not be set with SIGN_IN=mail`),
];
