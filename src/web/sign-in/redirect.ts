import * as oauth from "oauth4webapi";
import { settings } from "../settings.ts";
import { ofTab, parsed } from "../storage.ts";
import { askClock } from "../time/now.ts";
import { failureOf, isQuestion, SignInFailure } from "./failure.ts";
import {
  askProvider,
  client,
  clientAuthentication,
  keepProvider,
  knownProvider,
  options,
  redirectUri,
} from "./provider.ts";

/** What has to be remembered while the browser is at the provider. */
interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
  readonly silent: boolean;
}

const KEPT_AS = "sign-in";
/** How long the way to the provider may take, in milliseconds. */
const PATIENCE = 60_000;
const usesOpenId = settings.scopes.split(" ").includes("openid");

interface Leaving {
  /** A silent attempt asks the person nothing. */
  readonly silent: boolean;
  /** An earlier ID token, which says who should be signed in. Some providers insist on it. */
  readonly hint?: string | undefined;
  /** Asked at the last moment. The page stays where this throws. */
  readonly check?: () => void;
}

/**
 * Leaves for the provider, if that answers. The page ends here.
 * @throws SignInFailure also where the page is still there after a while, as when somebody stops the browser
 */
export async function goToProvider({ silent, hint, check }: Leaving): Promise<never> {
  const provider = await askProvider();
  const { authorization_endpoint: endpoint } = provider;
  if (endpoint === undefined) {
    throw new SignInFailure("signIn.unusable", new Error("there is no authorization_endpoint"));
  }
  const attempt: Attempt = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
    returnTo: location.pathname + location.search,
    silent,
  };
  const { audience, resource } = settings;
  const url = new URL(endpoint);
  const parameters = {
    client_id: settings.clientId,
    response_type: "code",
    redirect_uri: redirectUri,
    scope: settings.scopes,
    state: attempt.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: "S256",
    ...(usesOpenId && { nonce: attempt.nonce }),
    ...(audience && { audience }),
    ...(resource && { resource }),
    ...(silent && { prompt: "none" }),
    ...(silent && hint && { id_token_hint: hint }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  check?.();
  keepProvider(provider);
  // Nobody could tell what the provider sends back.
  if (!ofTab.write(KEPT_AS, JSON.stringify(attempt))) throw new SignInFailure("signIn.forgetful");
  // A silent attempt leaves no step in the history, or going back would lead to it.
  if (silent) location.replace(url);
  else location.assign(url);
  return new Promise<never>((_, reject) => {
    const late = setTimeout(() => reject(new SignInFailure("signIn.unreachable")), PATIENCE);
    // Going back may show this page again as it was left.
    addEventListener("pagehide", () => clearTimeout(late), { once: true });
  });
}

type Return =
  | { readonly outcome: "none" }
  | { readonly outcome: "tokens"; readonly tokens: oauth.TokenEndpointResponse }
  /** Without a failure, a silent attempt found that the person has to be asked. */
  | { readonly outcome: "refused"; readonly failure?: SignInFailure };

/** What the provider sent back, if the browser comes from there. */
export async function returnFromProvider(): Promise<Return> {
  const parameters = new URLSearchParams(location.search);
  if (!parameters.has("state") || !(parameters.has("code") || parameters.has("error"))) {
    return { outcome: "none" };
  }
  const attempt = parsed<Attempt>(ofTab.read(KEPT_AS));
  ofTab.remove(KEPT_AS);
  // A code works once, so its address must not stay in the history.
  history.replaceState(null, "", attempt?.returnTo ?? "/");
  if (attempt === undefined || attempt.state !== parameters.get("state"))
    return { outcome: "none" };
  try {
    return { outcome: "tokens", tokens: await exchange(parameters, attempt) };
  } catch (error) {
    if (attempt.silent && isQuestion(error)) return { outcome: "refused" };
    return { outcome: "refused", failure: failureOf(error) };
  }
}

async function exchange(parameters: URLSearchParams, attempt: Attempt) {
  const { state, nonce, verifier } = attempt;
  const resource = settings.resource && { resource: settings.resource };
  const provider = await knownProvider();
  const request = oauth.authorizationCodeGrantRequest(
    provider,
    client,
    clientAuthentication,
    oauth.validateAuthResponse(provider, client, parameters, state),
    redirectUri,
    verifier,
    { ...options, ...(resource && { additionalParameters: resource }) },
  );
  const [response] = await Promise.all([request, askClock()]);
  return oauth.processAuthorizationCodeResponse(
    provider,
    client,
    response,
    usesOpenId ? { expectedNonce: nonce, requireIdToken: true } : {},
  );
}
