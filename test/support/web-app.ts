import { createHash, randomBytes } from "node:crypto";
import { type Browser, formOf, locationOf, openBrowser, readJson } from "./browser.ts";

type Parameters = Readonly<Record<string, string | undefined>>;

export interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token?: string;
}

/** A web app under development, and the browser of the person who signs in there. */
export interface WebApp {
  readonly browser: Browser;
  /** Asks for a code. A parameter set to undefined is left out. */
  authorize(changes?: Parameters): Promise<Response>;
  /** Asks for a code and signs in; resolves to the address of the app to which this redirects. */
  signIn(email: string, changes?: Parameters): Promise<URL>;
  /** Asks for the tokens of a code. */
  exchange(code: string | null, changes?: Parameters): Promise<Response>;
  /** Asks for the tokens that follow these. */
  renew(refreshToken: string | undefined): Promise<Response>;
  /** Signs in, and exchanges the code. */
  tokensOf(email: string, changes?: Parameters): Promise<Tokens>;
}

export function webApp(issuer: string, redirectUri = "http://localhost:5173/callback"): WebApp {
  const browser = openBrowser();
  const { origin } = new URL(issuer);
  const verifier = randomBytes(32).toString("base64url");
  const usual = {
    client_id: "parking-docs",
    response_type: "code",
    redirect_uri: redirectUri,
    scope: "openid email",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  };

  /** Follows redirects, and posts the form that a page would post by itself. */
  async function followToApp(response: Response): Promise<URL> {
    if (response.status === 200) {
      const { action, fields } = formOf(await response.text());
      return followToApp(await browser.post(action, fields));
    }
    const address = locationOf(response);
    return address.origin === origin ? followToApp(await browser.get(address)) : address;
  }

  const app: WebApp = {
    browser,
    authorize: (changes = {}) => browser.get(`${issuer}/auth?${query({ ...usual, ...changes })}`),
    async signIn(email, changes) {
      const question = locationOf(await app.authorize(changes));
      return followToApp(await browser.post(question, { email }));
    },
    exchange(code, changes = {}) {
      const grant = { grant_type: "authorization_code", client_id: usual.client_id };
      const proof = { code: code ?? "", code_verifier: verifier, redirect_uri: redirectUri };
      const body = query({ ...grant, ...proof, ...changes });
      return fetch(`${issuer}/token`, { method: "POST", body });
    },
    renew(refresh_token) {
      const body = query({
        grant_type: "refresh_token",
        client_id: usual.client_id,
        refresh_token,
      });
      return fetch(`${issuer}/token`, { method: "POST", body });
    },
    async tokensOf(email, changes) {
      const { searchParams } = await app.signIn(email, changes);
      const response = await app.exchange(searchParams.get("code"));
      if (!response.ok) throw new Error(await response.text());
      return readJson<Tokens>(response);
    },
  };
  return app;
}

function query(parameters: Parameters): URLSearchParams {
  const present = Object.entries(parameters).filter((entry) => entry[1] !== undefined);
  return new URLSearchParams(
    Object.fromEntries(present.map(([name, value]) => [name, value ?? ""])),
  );
}
