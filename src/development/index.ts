/**
 * The only entry to this folder: an identity provider without passwords, and a building for trying
 * the service. It is loaded with import() and only in development, so that a service in production
 * has none of it in memory.
 */
import type { ServiceConfig } from "../config/config.ts";
import { MOUNT_PATH, ownTokens, ownWeb } from "../config/own-issuer.ts";
import { defaults } from "../config/settings.ts";
import { keepMails } from "../mail/mailer.ts";
import type { SignIn } from "../openapi/description.ts";
import { createIdentityProvider, isLoopback } from "./identity-provider.ts";
import { mailPages } from "./mail-pages.ts";
import { people } from "./people.ts";

export { developmentToken } from "./access-token.ts";
export { fillDemoBuilding } from "./demo-building.ts";

export type DevelopmentSignIn = Awaited<ReturnType<typeof developmentSignIn>>;

/** The identity provider for a service at `origin`. */
export async function developmentSignIn(config: ServiceConfig, origin: string) {
  const { dataDir } = config;
  // People may open the service by any name of this machine: the addresses have no origin.
  const signIn: SignIn = {
    authorizationUrl: `${MOUNT_PATH}/auth`,
    tokenUrl: `${MOUNT_PATH}/token`,
  };
  const mails = keepMails(origin, config.basePath);
  return {
    /** Shows the mails at /mail instead of sending them, if no mail server is set. */
    mails,
    mailPages: mailPages(mails),
    /** The service accepts the tokens of this provider. */
    tokens: ownTokens(origin),
    /** Answers everything below /identity. */
    middleware: await createIdentityProvider({ origin, dataDir }),
    /** Where /docs sends people for the sign-in. */
    signIn,
    /** Whether an origin belongs to a web app on this machine, which may read all answers. */
    isOfWebApp: isLoopback,
    /** How the page at / signs people in. */
    web: ownWeb,
    /** The text for the person at the terminal. */
    introduction: introductionTo(config, origin),
  };
}

/** Commands that a person can paste to try a service at `origin`. */
export function introductionTo(config: ServiceConfig, origin: string): string {
  const settings = [
    ...(config.host === defaults.host ? [] : [`HOST=${quoted(config.host)}`]),
    ...(new URL(origin).port === String(defaults.port) ? [] : [`PORT=${new URL(origin).port}`]),
    ...(config.dataDir === defaults.dataDir ? [] : [`DATA_DIR=${quoted(config.dataDir)}`]),
  ];
  const tokenCommand = [...settings, `npm run -s token -- ${people.maria.email}`].join(" ");
  return `
This building is a demo. Open ${origin} to park in it, ${origin}/docs to read the API, ${origin}/mail
to read the mails that would be sent, or try the API as one of the residents:

  curl -H "Authorization: Bearer $(${tokenCommand})" ${origin}${config.basePath}/dashboard
`;
}

/** Quotes a word for the command line of a shell. */
const quoted = (text: string): string =>
  /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
