/** Signs in with the authorization code of OAuth 2.0 and PKCE, like a web app on this machine. */

/** The tab keeps these over a reload: the sign-in request, and the token. */
const QUESTION = "graphiql:question";
const TOKEN = "graphiql:token";

const client_id = "parking-docs";
const redirect_uri = location.origin + location.pathname;

/** Goes to the identity provider, which comes back to this page with a code. */
export async function signIn({ authorizationUrl }) {
  const state = crypto.randomUUID();
  const verifier = crypto.randomUUID() + crypto.randomUUID();
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  sessionStorage.setItem(QUESTION, JSON.stringify({ verifier, state }));
  const query = new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: "code",
    scope: "openid email",
    state,
    code_challenge: base64url(new Uint8Array(hash)),
    code_challenge_method: "S256",
  });
  location.replace(`${authorizationUrl}?${query}`);
}

/** The token of the person who is signed in or returns with a code; null if there is none. */
export async function readToken({ tokenUrl }) {
  const answer = new URLSearchParams(location.search);
  const { verifier, state } = JSON.parse(sessionStorage.getItem(QUESTION) ?? "{}");
  if (answer.has("code") && answer.get("state") === state) {
    history.replaceState(null, "", location.pathname);
    sessionStorage.removeItem(QUESTION);
    const code = answer.get("code");
    const grant = { grant_type: "authorization_code", client_id, redirect_uri };
    const body = new URLSearchParams({ ...grant, code, code_verifier: verifier });
    const response = await fetch(tokenUrl, { method: "POST", body });
    if (!response.ok) throw new Error(`the provider answered ${response.status}`);
    sessionStorage.setItem(TOKEN, (await response.json()).access_token);
  }
  return sessionStorage.getItem(TOKEN);
}

/** A refused token is not sent again. */
export const forgetToken = () => sessionStorage.removeItem(TOKEN);

/** The email address in the token, which the service has verified. */
export const emailOf = (token) =>
  JSON.parse(atob(token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/"))).email;

const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
