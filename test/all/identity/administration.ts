import { generateKeyPairSync, randomUUID } from "node:crypto";

/** What its administrator sets up at the provider. */
export interface Administration {
  /** A page that signs people in there, for tokens that this API accepts. */
  addPage(page: {
    readonly clientId: string;
    readonly address: string;
    readonly audience: string;
  }): Promise<void>;
  addPerson(person: {
    readonly name: string;
    readonly password: string;
    readonly email: string;
  }): Promise<void>;
  /** From now on the person's tokens name these groups. */
  setGroups(name: string, groups: readonly string[]): Promise<void>;
  /** From now on tokens are signed with another key, and the key set has no other. */
  rotateKeys(): Promise<void>;
  /** For how long the next tokens are good, in seconds. */
  setLifetime(seconds: number): Promise<void>;
}

/** The password that the tables of the package come with. */
const ADMINISTRATOR = { username: "admin", password: "password" };

/**
 * @param restart after which the provider has what was set up. Its own way, a reset while it runs, ends it with
 *   a segmentation fault where it answers somebody meanwhile.
 */
export async function administrationOf(
  origin: string,
  issuer: string,
  restart: () => Promise<void>,
): Promise<Administration> {
  let cookie = "";
  async function ask(method: string, path: string, body?: object): Promise<Response> {
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers: { "Content-Type": "application/json", Cookie: cookie },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }
  const { headers } = await ask("POST", "/auth", ADMINISTRATOR);
  cookie = headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");

  let parameters = parametersOf(issuer);
  const plugin = () => ({ module: "oidc", name: "oidc", display_name: "oidc", parameters });
  async function change(changes: Partial<typeof parameters>): Promise<void> {
    parameters = { ...parameters, ...changes };
    await ask("PUT", "/mod/plugin/oidc", plugin());
    await restart();
  }
  await ask("POST", "/mod/plugin/", plugin());
  // People have more properties than the package gives them.
  await ask("PUT", "/mod/user/database", peopleModule);
  await restart();

  const people = new Map<string, object>();
  return {
    async addPage({ clientId, address, audience }) {
      await ask("POST", "/client/", {
        client_id: clientId,
        name: clientId,
        enabled: true,
        confidential: false,
        token_endpoint_auth_method: ["none"],
        authorization_type: ["code", "refresh_token"],
        redirect_uri: [address],
        post_logout_redirect_uri: address,
        resource: [audience],
        scope: [],
      });
    },
    async addPerson({ name, password, email }) {
      const email_confirmed_at = "2026-01-01T00:00:00Z";
      const scope = ["openid", "g_profile"];
      people.set(name, { username: name, name, password, email, email_confirmed_at, scope });
      await ask("POST", "/user/", { ...people.get(name) });
    },
    async setGroups(name, groups) {
      await ask("PUT", `/user/${name}`, { ...people.get(name), groups });
    },
    rotateKeys: () => change({ "jwks-private": newKeys() }),
    setLifetime: (seconds) => change({ "access-token-duration": seconds }),
  };
}

const newKeys = (): string => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = { ...privateKey.export({ format: "jwk" }), kid: randomUUID(), alg: "ES256" };
  return JSON.stringify({ keys: [key] });
};

const peopleModule = {
  module: "database",
  name: "database",
  display_name: "database",
  order_rank: 0,
  parameters: {
    "use-glewlwyd-connection": true,
    "data-format": {
      email_confirmed_at: { multiple: false, read: true, write: true },
      groups: { multiple: true, read: true, write: true },
    },
  },
};

const parametersOf = (issuer: string) => ({
  iss: issuer,
  "jwt-type": "ecdsa",
  "jwt-key-size": "256",
  "jwks-private": newKeys(),
  "jwks-show": true,
  "access-token-duration": 3600,
  "refresh-token-duration": 86_400,
  "code-duration": 600,
  "refresh-token-rolling": true,
  "refresh-token-one-use": "always",
  "auth-type-code-enabled": true,
  "auth-type-refresh-enabled": true,
  "subject-type": "public",
  "pkce-allowed": true,
  "allowed-scope": ["openid"],
  "session-management-allowed": true,
  "front-channel-logout-allowed": true,
  "session-cookie-name": "GLEWLWYD2_OIDC_SID",
  "session-cookie-expiration": 86_400,
  "resource-allowed": true,
  "resource-client-property": "resource",
  "resource-scope": {},
  "resource-scope-and-client-property": false,
  // Into access tokens, as the API needs them.
  "additional-parameters": ["email", "email_confirmed_at", "groups"].map((name) => ({
    "user-parameter": name,
    "token-parameter": name,
  })),
});
