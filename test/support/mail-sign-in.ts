import { createHash, randomBytes } from "node:crypto";
import { readServiceConfig } from "../../src/config/config.ts";
import { createLogger } from "../../src/log/logger.ts";
import { startService } from "../../src/service.ts";
import { type MailServer, startMailServer } from "../mail/smtp-server.ts";
import { type Browser, locationOf, openBrowser, readJson } from "./browser.ts";
import type { TestDatabase } from "./database.ts";
import { freePort } from "./free-port.ts";
import { patience } from "./service.ts";
import type { Settings } from "./settings.ts";
import { until } from "./waiting.ts";
import type { Tokens } from "./web-app.ts";

/** A service with SIGN_IN=mail, and the server that gets its mails. */
export interface MailService {
  readonly origin: string;
  readonly mails: MailServer;
  stop(): Promise<void>;
}

type Mails = Pick<MailServer, "received">;

export const IDENTITY_SECRET = "a secret of the tests, which is long enough";

/** @param mails another service's mail server: then both are one building */
export async function startMailService(
  database: TestDatabase,
  settings: Settings = {},
  mails?: MailServer,
  logger = createLogger("silent"),
): Promise<MailService> {
  await using started = new AsyncDisposableStack();
  const server = mails ?? started.adopt(await startMailServer(), (it) => it.close());
  const port = String(await freePort());
  const origin = `http://${settings.HOST ?? "127.0.0.1"}:${port}`;
  const config = readServiceConfig({
    PORT: port,
    DATABASE_URL: database.url("parking_api"),
    PREPARED_STATEMENTS: process.env.TEST_PREPARED_STATEMENTS ?? "true",
    SIGN_IN: "mail",
    IDENTITY_SECRET,
    SMTP_URL: server.url.href,
    MAIL_FROM: "parking@example.org",
    PUBLIC_URL: origin,
    JOBS: "off",
    REFUSED_TOKEN_RATE_LIMIT_PER_MINUTE: "0",
    ...settings,
  });
  const service = await startService(config, logger, patience);
  started.defer(() => service.stop());
  const everything = started.move();
  return { origin, mails: server, stop: () => everything.disposeAsync() };
}

/** A browser in which somebody signs in at the page. */
export interface Visitor {
  readonly browser: Browser;
  /** The answer to a request for a sign-in. A parameter set to undefined is left out. */
  authorize(changes?: Readonly<Record<string, string | undefined>>): Promise<Response>;
  /** Asks for a sign-in; resolves to the page that asks for an address, or to the page's own with a code. */
  begin(changes?: Readonly<Record<string, string>>): Promise<URL>;
  /** Types an address where the page asks for it. */
  ask(page: URL, address: string): Promise<Response>;
  type(page: URL, code: string): Promise<Response>;
  /** Follows the redirects after the right code, to the address of the page with its code. */
  follow(response: Response): Promise<URL>;
  exchange(code: string | null, changes?: Readonly<Record<string, string>>): Promise<Response>;
  renew(refreshToken: string | undefined): Promise<Response>;
  /** All of it. */
  signIn(address: string, mails: Mails): Promise<Tokens>;
}

/** @param origin of the process that the browser talks to, which may not be the issuer's */
export function visitorOf(issuerOrigin: string, origin = issuerOrigin): Visitor {
  const browser = openBrowser();
  const verifier = randomBytes(32).toString("base64url");
  const here = (url: URL): URL =>
    url.origin === issuerOrigin ? new URL(url.pathname + url.search, origin) : url;
  const token = (fields: Readonly<Record<string, string>>) =>
    fetch(`${origin}/identity/token`, { method: "POST", body: new URLSearchParams(fields) });

  const visitor: Visitor = {
    browser,
    authorize(changes = {}) {
      const parameters = {
        client_id: "parking-web",
        response_type: "code",
        redirect_uri: `${issuerOrigin}/`,
        scope: "openid email",
        state: "of-the-page",
        nonce: "of-the-page-too",
        code_challenge: createHash("sha256").update(verifier).digest("base64url"),
        code_challenge_method: "S256",
        ...changes,
      };
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(parameters))
        if (value !== undefined) query.set(name, value);
      return browser.get(`${origin}/identity/auth?${query}`);
    },
    begin: async (changes) => here(locationOf(await visitor.authorize(changes))),
    ask: (page, address) => browser.post(page, { email: address }),
    type: (page, code) => browser.post(page, { code }),
    async follow(response) {
      const next = here(locationOf(response));
      if (!next.pathname.startsWith("/identity/")) return next;
      return visitor.follow(await browser.get(next));
    },
    exchange: (code, changes = {}) =>
      token({
        grant_type: "authorization_code",
        client_id: "parking-web",
        redirect_uri: `${issuerOrigin}/`,
        code: code ?? "",
        code_verifier: verifier,
        ...changes,
      }),
    renew: (refreshToken = "") =>
      token({
        grant_type: "refresh_token",
        client_id: "parking-web",
        refresh_token: refreshToken,
      }),
    async signIn(address, mails) {
      const page = await visitor.begin();
      const before = mails.received.filter(({ to }) => to[0] === address).length;
      await visitor.ask(page, address);
      const code = await codeFor(mails, address, before + 1);
      const { searchParams } = await visitor.follow(await visitor.type(page, code));
      const response = await visitor.exchange(searchParams.get("code"));
      if (!response.ok) throw new Error(await response.text());
      return readJson<Tokens>(response);
    },
  };
  return visitor;
}

/** As many hashes of sign-ins, for direct SQL. */
export const hashes = (count: number): readonly Buffer[] =>
  Array.from({ length: count }, () => randomBytes(32));

/** The code in the latest mail to an address, once there are so many. */
export async function codeFor(mails: Mails, address: string, count = 1): Promise<string> {
  const received = () => mails.received.filter(({ to }) => to[0] === address);
  await until(`${count} mails to ${address}`, () => received().length >= count);
  return codeIn(received().at(-1));
}

/** The code in a mail. */
export const codeIn = (mail?: { readonly text: string }): string =>
  /^\d{6}$/m.exec(mail?.text ?? "")?.[0] ?? "";

/** Another code than this one. */
export const not = (code: string): string => (code === "000000" ? "000001" : "000000");
