import { afterAll, afterEach, beforeAll, describe } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { withClient } from "../../../src/database/client.ts";
import { hasChromium, launchChromium } from "../../support/chromium.ts";
import { cloneDatabase, type TestDatabase } from "../../support/database.ts";
import { noRateLimits, type Program, startProgram } from "../../support/program.ts";
import { PATIENCE_MS } from "../../support/waiting.ts";
import { type IdentityProvider, isInstalled, startGlewlwyd } from "./glewlwyd.ts";

export const AUDIENCE = "https://parking.example.org/api";

/** A service in production settings, an identity provider, and the browser of a resident. */
export interface World {
  readonly provider: IdentityProvider;
  readonly service: Program;
  /** Another service, for the same people, with other settings. */
  start(settings: Readonly<Record<string, string>>): Promise<Program>;
  /** A new browser, where nobody is signed in. Its clock can be moved. */
  page(): Promise<Page>;
  /** The page, where the resident has signed in. */
  signedIn(): Promise<Page>;
}

export const resident = { name: "gwen", password: "not a secret", email: "gwen@example.org" };

/** Tests of the page and the API with a real provider, where the machine has one. */
export function describeWithProvider(name: string, tests: (world: () => World) => void): void {
  const missing = [...(isInstalled ? [] : ["glewlwyd"]), ...(hasChromium ? [] : ["Chromium"])];
  const canRun = missing.length === 0;
  if (!canRun) console.warn(`SKIPPED: ${name}. There is no ${missing.join(", no ")}`);

  (canRun ? describe : describe.skip)(name, () => {
    let world: World;
    const started = new AsyncDisposableStack();
    let browser: Browser;
    beforeAll(async () => {
      browser = started.adopt(await launchChromium(), (it) => it.close());
      world = await openWorld(started, browser);
    });
    afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
    afterAll(() => started.disposeAsync());
    tests(() => world);
  });
}

async function openWorld(started: AsyncDisposableStack, browser: Browser): Promise<World> {
  const database = started.adopt(await cloneDatabase(), (it) => it.drop());
  const provider = started.adopt(await startGlewlwyd(), (it) => it.stop());
  const issuer = { issuer: provider.issuer, audience: AUDIENCE };
  const settings = {
    NODE_ENV: "production",
    AUTH_SUB_IS_UUID: "false",
    WEB_RESOURCE: AUDIENCE,
    ...noRateLimits,
  };
  let clients = 0;
  async function start(changes: Readonly<Record<string, string>>): Promise<Program> {
    clients += 1;
    const clientId = `parking-page-${clients}`;
    const service = started.adopt(
      await startProgram(
        { database, service: { issuer } },
        { ...settings, WEB_CLIENT_ID: clientId, ...changes },
      ),
      (it) => it.stop(),
    );
    await provider.addPage({ clientId, address: `${service.origin}/`, audience: AUDIENCE });
    return service;
  }
  const service = await start({});
  await provider.addPerson(resident);

  async function page(): Promise<Page> {
    const context = await browser.newContext({ locale: "en-GB", serviceWorkers: "block" });
    context.setDefaultTimeout(PATIENCE_MS);
    await context.clock.install();
    return context.newPage();
  }
  async function signedIn(): Promise<Page> {
    const opened = await page();
    await opened.goto(service.origin);
    await signIn(opened);
    await firstScreen(opened).waitFor();
    // It is there once the profile is read. A clock that is moved before ends that request.
    await inbox(opened).waitFor();
    return opened;
  }
  await register(await page(), service.origin, database);
  return { provider, service, start, page, signedIn };
}

/** The resident registers in the page and is approved. */
async function register(page: Page, address: string, database: TestDatabase): Promise<void> {
  await page.goto(address);
  await signIn(page);
  await page.getByLabel("Apartment").fill("12");
  await page.getByRole("button", { name: "Register" }).click();
  await page.getByText("Your account is waiting for approval").waitFor();
  await withClient(database.url("parking_owner"), (owner) =>
    owner.query("update parking.profiles set is_approved = true"),
  );
}

/** From the page to the provider and back, by its own forms. */
export async function signIn(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator("input").first().fill(resident.name);
  await page.locator("input[type=password]").fill(resident.password);
  await page.getByRole("button", { name: "OK" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

export const firstScreen = (page: Page) => page.getByRole("heading", { level: 1, name: "Now" });

/** What the page says does not work. */
export const alarm = (page: Page) => page.getByRole("alert");

const inbox = (page: Page) => page.getByRole("link", { name: "Inbox" });

/** A screen that needs a request. */
export async function openInbox(page: Page): Promise<void> {
  await inbox(page).click();
  await page.getByText("Your account was approved").waitFor();
}

/** Moves the clock of the page to where a token, issued for an hour, is renewed before it is used. */
export const untilRenewal = (page: Page) => page.clock.fastForward("59:35");

/** Moves it to where the token has ended. */
export const untilTheEnd = (page: Page) => page.clock.fastForward("01:01:00");

/** What the page asks the provider's endpoint of this name from now on. */
export function asked(
  { provider }: World,
  page: Page,
  endpoint: "auth" | "token",
): readonly string[] {
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.url().startsWith(`${provider.issuer}/${endpoint}`)) {
      requests.push(request.postData() ?? request.url());
    }
  });
  return requests;
}

/** From now on, no refresh token works for this page. The provider's refusals have no body. */
export const refuseRefreshTokens = (page: Page) =>
  page.route("**/token", async (route) => {
    const isRefresh = route.request().postData()?.includes("grant_type=refresh_token");
    await (isRefresh ? route.fulfill({ status: 403, body: "" }) : route.continue());
  });

/** As the person does it in their account at the provider. It answers 400 then, without a body. */
export async function withdrawRefreshTokens({ provider }: World, page: Page): Promise<void> {
  const { request } = page.context();
  const tokens = `${provider.issuer}/token`;
  const listed: unknown = await (await request.get(`${tokens}/`)).json();
  if (!Array.isArray(listed)) throw new Error("the provider has no list of tokens");
  for (const { token_hash } of listed) {
    await request.delete(`${tokens}/${encodeURIComponent(token_hash)}`);
  }
}
