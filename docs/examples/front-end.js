import * as oauth from "oauth4webapi";

const service = "http://127.0.0.1:3000";
const issuer = new URL(`${service}/identity`);
const http = { [oauth.allowInsecureRequests]: true }; // on this machine only
const client = { client_id: "parking-docs" };
const redirect_uri = location.origin + location.pathname;

const found = await oauth.discoveryRequest(issuer, http);
const provider = await oauth.processDiscoveryResponse(issuer, found);

if (!location.search) {
  const verifier = oauth.generateRandomCodeVerifier();
  sessionStorage.setItem("verifier", verifier);
  const code_challenge = await oauth.calculatePKCECodeChallenge(verifier);
  const scope = "openid email offline_access";
  const question = { ...client, redirect_uri, response_type: "code", scope, prompt: "consent" };
  const proof = { code_challenge, code_challenge_method: "S256" };
  location.assign(
    `${provider.authorization_endpoint}?${new URLSearchParams({ ...question, ...proof })}`,
  );
} else {
  const answer = oauth.validateAuthResponse(provider, client, new URL(location.href));
  const verifier = sessionStorage.getItem("verifier");
  const response = await oauth.authorizationCodeGrantRequest(
    provider,
    client,
    oauth.None(),
    answer,
    redirect_uri,
    verifier,
    http,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(provider, client, response);
  const Authorization = `Bearer ${tokens.access_token}`;
  const dashboard = await fetch(`${service}/api/dashboard`, { headers: { Authorization } });
  document.body.textContent = await dashboard.text();
}
