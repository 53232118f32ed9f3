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

/** What the page must remember while the browser is at the provider. */
interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
  readonly silent: boolean;
}

const KEPT_AS = "sign-in";
/** The longest time for leaving to the provider, in milliseconds. */
const PATIENCE = 60_000;
const usesOpenId = settings.scopes.split(" ").includes("openid");

interface Leaving {
  /** A silent attempt asks the person nothing. */
  readonly silent: boolean;
  /** An earlier ID token, which names the expected person. Some providers require it. */
  readonly hint?: string | undefined;
  /** Called at the last moment. If it throws, the page stays. */
  readonly check?: () => void;
}

/**
 * Goes to the provider, if it answers. The page ends here.
 * @throws SignInFailure also if the page is still there after a while, for example because
 *   somebody stops the browser
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
  // Otherwise the page could not check what the provider returns.
  if (!ofTab.write(KEPT_AS, JSON.stringify(attempt))) throw new SignInFailure("signIn.forgetful");
  // A silent attempt leaves no step in the history, because going back would lead to it.
  if (silent) location.replace(url);
  else location.assign(url);
  return new Promise<never>((_, reject) => {
    const late = setTimeout(() => reject(new SignInFailure("signIn.unreachable")), PATIENCE);
    // Going back may show this page again in its old state.
    addEventListener("pagehide", () => clearTimeout(late), { once: true });
  });
}

type Return =
  | { readonly outcome: "none" }
  | { readonly outcome: "tokens"; readonly tokens: oauth.TokenEndpointResponse }
  /** Without a failure, a silent attempt found that the person must be asked. */
  | { readonly outcome: "refused"; readonly failure?: SignInFailure };

/** The provider's answer, if the browser comes from there. */
export async function returnFromProvider(): Promise<Return> {
  const parameters = new URLSearchParams(location.search);
  if (!parameters.has("state") || !(parameters.has("code") || parameters.has("error"))) {
    return { outcome: "none" };
  }
  const attempt = parsed<Attempt>(ofTab.read(KEPT_AS));
  ofTab.remove(KEPT_AS);
  // A code works only once, so its address must not stay in the history.
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
