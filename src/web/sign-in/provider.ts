import * as oauth from "oauth4webapi";
import { language } from "../messages/translate.ts";
import { settings } from "../settings.ts";
import { ofTab, parsed, shared } from "../storage.ts";
import { askClock, now } from "../time/now.ts";
import { SignInFailure } from "./failure.ts";
import { ATTEMPT_KEY, type Attempt, PROVIDER_KEY, type Received } from "./tokens.ts";

/**
 * The requests to the identity provider, and the library for them. Most starts need neither, so
 * this is loaded later. Its functions throw only a SignInFailure.
 */
const inWords =
  <Arguments extends readonly unknown[], Result>(act: (...them: Arguments) => Promise<Result>) =>
  (...them: Arguments): Promise<Result> =>
    act(...them).catch((error) => {
      if (error instanceof SignInFailure) throw error;
      const isRefusal = isAnswer(error);
      // The class name of an error means nothing in a bundle.
      const detail = isRefusal
        ? [error.error_description, `(${error.error})`].filter(Boolean).join(" ")
        : undefined;
      throw new SignInFailure(isRefusal ? "signIn.refused" : "signIn.unusable", error, detail);
    });

const isAnswer = (error: unknown) =>
  error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError;

/** Answers to a silent attempt that only mean that the person must be asked. */
const QUESTIONS = [
  "login_required",
  "interaction_required",
  "consent_required",
  "account_selection_required",
];

const client: oauth.Client = {
  client_id: settings.clientId,
  /** By the clock of the device, a new ID token may already have expired. */
  get [oauth.clockSkew]() {
    return Math.round((now() - Date.now()) / 1_000);
  },
};
const clientAuthentication = oauth.None();

/** The longest time to wait for an answer of the provider, in milliseconds. */
const PATIENCE = 10_000;
/** The longest time for leaving to the provider, in milliseconds. */
const LEAVING = 60_000;

const options = {
  /** A provider in development answers on loopback without https. */
  [oauth.allowInsecureRequests]: settings.issuer.startsWith("http:"),
  [oauth.customFetch]: ask,
};

type Asked = oauth.CustomFetchOptions<string, URLSearchParams | undefined>;

/** An answer that only means that there is none now, such as a proxy's 502, counts as no answer. */
async function ask(url: string, request: Asked): Promise<Response> {
  const { body = null, headers, method, redirect } = request;
  const signal = AbortSignal.timeout(PATIENCE);
  const sent = { body, headers, method, redirect, signal, cache: "no-store" } as const;
  const response = await fetch(url, sent).catch((cause) => {
    throw new SignInFailure("signIn.unreachable", cause);
  });
  if (response.status >= 500 || response.status === 429) {
    throw new SignInFailure("signIn.unreachable", new Error(`${response.status} ${url}`));
  }
  return response;
}

/** The only address to which the provider redirects. The screen to return to is stored here. */
const redirectUri = `${location.origin}/`;

/**
 * Reads the provider's endpoints again. A person who leaves the page for a provider that does not
 * answer would end at the browser's error page.
 */
async function askProvider(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(settings.issuer);
  const response = await oauth.discoveryRequest(issuer, options);
  return oauth.processDiscoveryResponse(issuer, response);
}

/** The endpoints that this browser last used, or else those that the provider returns now. */
const knownProvider = async (): Promise<oauth.AuthorizationServer> =>
  parsed<oauth.AuthorizationServer>(shared.read(PROVIDER_KEY)) ?? askProvider();

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
export const goToProvider = inWords(async ({ silent, hint, check }: Leaving): Promise<never> => {
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
    ...(language && { ui_locales: language }),
    ...(audience && { audience }),
    ...(resource && { resource }),
    ...(silent && { prompt: "none" }),
    ...(silent && hint && { id_token_hint: hint }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  check?.();
  shared.write(PROVIDER_KEY, JSON.stringify(provider));
  // Otherwise the page could not check what the provider returns.
  if (!ofTab.write(ATTEMPT_KEY, JSON.stringify(attempt)))
    throw new SignInFailure("signIn.forgetful");
  // A silent attempt leaves no step in the history, because going back would lead to it.
  if (silent) location.replace(url);
  else location.assign(url);
  return new Promise<never>((_, reject) => {
    const late = setTimeout(() => reject(new SignInFailure("signIn.unreachable")), LEAVING);
    // Going back may show this page again in its old state.
    addEventListener("pagehide", () => clearTimeout(late), { once: true });
  });
});

const received = (tokens: oauth.TokenEndpointResponse): Received => ({
  ...tokens,
  subject: oauth.getValidatedIdTokenClaims(tokens)?.sub,
});

/** The tokens for a code. Undefined if a silent attempt found that the person must be asked. */
export const exchange = inWords(
  async (parameters: URLSearchParams, attempt: Attempt): Promise<Received | undefined> => {
    const { state, nonce, verifier, silent } = attempt;
    if (silent && QUESTIONS.includes(parameters.get("error") ?? "")) return undefined;
    const { resource } = settings;
    const provider = await knownProvider();
    const request = oauth.authorizationCodeGrantRequest(
      provider,
      client,
      clientAuthentication,
      oauth.validateAuthResponse(provider, client, parameters, state),
      redirectUri,
      verifier,
      { ...options, ...(resource && { additionalParameters: { resource } }) },
    );
    const [response] = await Promise.all([request, askClock()]);
    return received(
      await oauth.processAuthorizationCodeResponse(
        provider,
        client,
        response,
        usesOpenId ? { expectedNonce: nonce, requireIdToken: true } : {},
      ),
    );
  },
);

/** Undefined if the provider refuses in any form. Then a redirect asks it. */
export const refresh = inWords(async (token: string): Promise<Received | undefined> => {
  const provider = await knownProvider();
  const response = await oauth.refreshTokenGrantRequest(
    provider,
    client,
    clientAuthentication,
    token,
    options,
  );
  if (response.status >= 400) return undefined;
  return received(await oauth.processRefreshTokenResponse(provider, client, response));
});

/**
 * Revokes the refresh token, if the provider supports it (RFC 7009), because it may outlive the
 * provider's session. If this fails, signing out continues.
 * @returns the address where the provider ends its session, if it has one
 */
export const leaveProvider = inWords(
  async (refreshToken?: string, idToken?: string): Promise<URL | undefined> => {
    const provider = await askProvider();
    if (refreshToken !== undefined && provider.revocation_endpoint !== undefined) {
      await oauth
        .revocationRequest(provider, client, clientAuthentication, refreshToken, options)
        .catch(() => {});
    }
    const { end_session_endpoint: endpoint } = provider;
    if (endpoint === undefined) return undefined;
    const url = new URL(endpoint);
    url.searchParams.set("client_id", client.client_id);
    url.searchParams.set("post_logout_redirect_uri", redirectUri);
    if (language) url.searchParams.set("ui_locales", language);
    if (idToken !== undefined) url.searchParams.set("id_token_hint", idToken);
    return url;
  },
);
