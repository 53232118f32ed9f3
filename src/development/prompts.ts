import { interactionPolicy, type KoaContextWithOIDC } from "oidc-provider";

/**
 * Asks for a person at every sign-in, so that one can change from one to another. With
 * `prompt=none` the person of the session is taken, as silent renewal needs it.
 */
export function askWho(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  const unasked = new interactionPolicy.Check(
    "not_asked_who",
    "somebody has to say who they are",
    "login_required",
    ({ oidc }) => !oidc.prompts.has("none") && oidc.result?.login === undefined,
  );
  policy.get("login")?.checks.add(unasked);
  return policy;
}

/** Stands in for a screen of consent. */
export async function grantEverything({ oidc }: KoaContextWithOIDC) {
  const { provider, session, client } = oidc;
  if (session?.accountId === undefined || client === undefined) return undefined;
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope("openid email");
  await grant.save();
  return grant;
}
