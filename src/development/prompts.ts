import { interactionPolicy, type KoaContextWithOIDC } from "oidc-provider";

/**
 * Asks for a person at every sign-in, so that a developer can switch between people. With
 * `prompt=none` the person of the session is used, as silent renewal needs.
 */
export function askForPerson(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  const notAsked = new interactionPolicy.Check(
    "person_not_chosen",
    "a person has to be chosen",
    "login_required",
    ({ oidc }) => !oidc.prompts.has("none") && oidc.result?.login === undefined,
  );
  policy.get("login")?.checks.add(notAsked);
  return policy;
}

/** Replaces the page that asks for consent. */
export async function grantAllScopes({ oidc }: KoaContextWithOIDC) {
  const { provider, session, client } = oidc;
  if (session?.accountId === undefined || client === undefined) return undefined;
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope("openid email offline_access");
  await grant.save();
  return grant;
}
