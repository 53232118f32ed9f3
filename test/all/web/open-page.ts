import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { isDeepStrictEqual } from "node:util";
import { afterAll, afterEach, beforeAll, expect } from "@jest/globals";
import type { Browser, BrowserContextOptions, Locator, Page, Response } from "playwright-core";
import { developmentToken } from "../../../src/development/index.ts";
import { people } from "../../../src/development/people.ts";
import { describeWithChromium, launchChromium } from "../../support/chromium.ts";
import { type Complaints, complaintsOfPages } from "../../support/complaints.ts";
import { type DemoService, startDemoService } from "../../support/demo-service.ts";
import { type Answer, requestJson } from "../../support/person.ts";
import { served } from "../../support/served.ts";
import type { Settings } from "../../support/settings.ts";
import { PATIENCE_MS } from "../../support/waiting.ts";
import { watchRequests } from "./network.ts";

/** Somebody of the building, who also uses the API directly. */
export interface Resident {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  ask<Body>(method: string, path: string, body?: object): Promise<Answer<Body>>;
  /** The row, or the rows, of the answer to a GET. */
  read<Rows>(path: string): Promise<Rows>;
}

interface PageOptions extends BrowserContextOptions {
  /** Before the page is fetched. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** A browser, a service with the demo building, and what its pages complained about. */
export interface World {
  readonly origin: string;
  readonly browser: Browser;
  /** A new person. Without `approved`, the account waits; with `unregistered` there is none. */
  person(name: string, account?: "approved" | "waiting" | "unregistered"): Promise<Resident>;
  administrator(): Resident;
  /** Gives the building these settings, and no other limits, until the end of the test. */
  setBuilding(settings: object): Promise<void>;
  /** The page, as this person sees it once signed in. */
  open(who: Resident, path?: string, options?: PageOptions): Promise<Page>;
  /** A page that has fetched nothing yet. */
  blank(options?: BrowserContextOptions): Promise<Page>;
  /** Waits for complaints that the test expects, such as of a `409`. Others fail it. */
  complained: Complaints["expect"];
  close(): Promise<void>;
}

/** The tests of a screen in a browser. All share one browser and one service, with these settings. */
export function describeInBrowser(
  name: string,
  tests: (world: () => World) => void,
  settings: Settings = {},
): void {
  describeWithChromium(name, () => {
    const complaints = complaintsOfPages();
    let world: World;
    beforeAll(async () => {
      world = await openWorld(complaints, settings);
      await world.setBuilding({});
    });
    afterEach(async () => {
      for (const context of world.browser.contexts()) {
        // The stream of events has the page read at any time, also now.
        for (const page of context.pages()) await page.unrouteAll({ behavior: "ignoreErrors" });
        await context.close();
      }
      await world.setBuilding({});
      expect(complaints.unexpected()).toEqual([]);
    });
    afterAll(() => world?.close());
    tests(() => world);
  });
}

async function openWorld(complaints: Complaints, settings: Settings): Promise<World> {
  const limits = { RATE_LIMIT_PER_MINUTE: "0", RATE_LIMIT_PER_HOUR: "0" };
  const profile = { PROFILE_RATE_LIMIT_PER_MINUTE: "0", PROFILE_RATE_LIMIT_PER_HOUR: "0" };
  const service = await startDemoService({ ...limits, ...profile, ...settings });
  const browser = await launchChromium();
  return worldOf(service, browser, complaints);
}

/** The demo building has limits and a time zone of its own; here a test sets what it needs. */
const plainBuilding = {
  time_zone: "UTC",
  longest_window_days: null,
  horizon_days: null,
  shortest_claim_minutes: null,
  longest_claim_minutes: null,
  claim_notice_minutes: null,
  cancellation_cutoff_minutes: null,
  grace_minutes: null,
  most_active_claims: null,
  offer_minutes: null,
  pattern_days: 28,
  passage_days: 0,
  rest_stays_on_offer: false,
};

let peopleMade = 0;

function worldOf(service: DemoService, browser: Browser, complaints: Complaints): World {
  const { origin, dataDir } = service;

  function resident(id: string, email: string, name: string): Resident {
    async function ask<Body>(method: string, path: string, body?: object) {
      const token = await developmentToken(email, { dataDir, origin });
      return served(() =>
        requestJson<Body>(origin, method, `/api${path}`, { token, ...(body && { body }) }),
      );
    }
    async function read<Rows>(path: string): Promise<Rows> {
      const { body } = await ask<Readonly<Record<string, Rows>>>("GET", path);
      const name = Object.keys(body).find((it) => it !== "total") ?? "";
      return body[name] as Rows;
    }
    return { id, email, name, ask, read };
  }
  let building = {};
  const ada = resident(people.ada.id, people.ada.email, people.ada.fullName);

  async function blank(options: BrowserContextOptions = {}): Promise<Page> {
    // With a service worker, each test would wait for its installation.
    const usual = { locale: "en-GB", serviceWorkers: "block" } as const;
    const context = await browser.newContext({ ...usual, ...options });
    // The page needs nothing but the service.
    complaints.listenTo(context, (url) => url.protocol === "blob:" || url.origin === origin);
    context.setDefaultTimeout(PATIENCE_MS);
    await context.addInitScript(clockOfService);
    await context.addInitScript(pace);
    const page = await context.newPage();
    watchRequests(page);
    return page;
  }

  return {
    origin,
    browser,
    blank,
    administrator: () => ada,
    async setBuilding(settings) {
      const wanted = { ...plainBuilding, ...settings };
      if (isDeepStrictEqual(wanted, building)) return;
      await ada.ask("PUT", "/admin/building", wanted);
      building = wanted;
    },
    async person(name, account = "approved") {
      peopleMade += 1;
      const email = `person${peopleMade}@test.example`;
      const stranger = resident("", email, name);
      if (account === "unregistered") return stranger;
      const body = { apartment_number: `${peopleMade}Z`, full_name: name };
      const made = await stranger.ask<{ profile: { id: string } }>("POST", "/profile", body);
      const { id } = made.body.profile;
      if (account === "approved") {
        await ada.ask("PUT", `/admin/profiles/${id}`, { is_approved: true });
      }
      return resident(id, email, name);
    },
    async open(who, path = "/", { prepare, ...options } = {}) {
      const page = await blank(options);
      await prepare?.(page);
      await page.goto(origin + path);
      await signIn(page, who.email);
      return page;
    },
    complained: complaints.expect,
    async close() {
      await browser.close();
      await service.stop();
    },
  };
}

/** Tests say by the clock of the device that time has passed. The service's clock goes with it, unless they say so. */
const clockOfService = `{
  const { get } = Headers.prototype;
  Headers.prototype.get = function (name) {
    const now = globalThis.serviceNow?.() ?? Date.now();
    return name === "Date" ? new Date(now).toUTCString() : get.call(this, name);
  };
}`;

/** From the page to the provider of the demo building and back. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.getByRole("button", { name: /^(Sign in|Anmelden)$/ }).click();
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.locator("main#content").waitFor();
}

/** The page, once it has an answer of this address. */
export async function openAnswered(
  world: World,
  who: Resident,
  path: string,
  address: string | ((response: Response) => boolean),
  before?: PageOptions["prepare"],
): Promise<Page> {
  let isAnswered: Promise<unknown> | undefined;
  const prepare = async (page: Page) => {
    await before?.(page);
    isAnswered = page.waitForResponse(address);
  };
  const page = await world.open(who, path, { prepare });
  await isAnswered;
  return page;
}

const isStream = (response: Response): boolean =>
  response.url().endsWith("/api/events") && response.ok();

/** The page, once it hears of events. */
export const openLive = (
  world: World,
  who: Resident,
  path = "/board",
  before?: PageOptions["prepare"],
): Promise<Page> => openAnswered(world, who, path, isStream, before);

/** The page with a token that its own clock does not end: the service's clock is another. */
export async function openForLong(world: World, who: Resident, path?: string): Promise<Page> {
  const page = await world.open(who, path);
  await page.evaluate(`
    const tokens = JSON.parse(localStorage.getItem("tokens"));
    localStorage.setItem("tokens", JSON.stringify({ ...tokens, endsAt: 4e12, renewAt: 4e12 }));
  `);
  await page.reload();
  return page;
}

/** Once the service worker has kept the page's own files. */
export const untilKept = (page: Page): Promise<unknown> =>
  page.evaluate(`
    navigator.serviceWorker.controller === null &&
      new Promise((done) => {
        navigator.serviceWorker.addEventListener("controllerchange", () => done(true), { once: true });
      })
  `);

/** As if the page had not been opened for long: no token that is kept is good any more. */
export const endTokens = (page: Page): Promise<unknown> =>
  page.evaluate(`
    localStorage.setItem("tokens", JSON.stringify({
      ...JSON.parse(localStorage.getItem("tokens")), refreshToken: "of yesterday", endsAt: 0, renewAt: 0,
    }))
  `);

/**
 * People look before they press: a second passes in the page before each press, for the page does nothing
 * at a press of what came there, or has moved, within a second.
 */
const pace = `{
  let ahead = 0;
  // Playwright's clock brings another object.
  const wrap = () => {
    const { performance: it } = window;
    if (it.isPaced) return;
    const now = it.now.bind(it);
    it.now = () => now() + ahead;
    it.isPaced = true;
  };
  wrap();
  for (const press of ["pointerdown", "keydown"])
    addEventListener(press, () => { wrap(); ahead += 1_100; }, { capture: true });
}`;

/** What comes next comes at once after what was before, however long a busy machine takes for it. */
export const stopWatch = (page: Page): Promise<unknown> =>
  page.evaluate(`{
    const now = performance.now();
    performance.paced = performance.now;
    performance.now = () => now;
  }`);

export const startWatch = (page: Page): Promise<unknown> =>
  page.evaluate("performance.now = performance.paced");

/** As if the device had been put away, and somebody looks again at that moment. Its clock then stands still. */
export async function lookAgainAt(page: Page, moment: string | number): Promise<void> {
  const turn = 'document.dispatchEvent(new Event("visibilitychange"));';
  // Hidden for no longer than this: the service worker, which tests have none of, is asked for by a timer.
  await page.evaluate(`
    Object.defineProperty(document, "visibilityState", { configurable: true, value: "hidden" });
    ${turn}
    delete document.visibilityState;
  `);
  await page.clock.setFixedTime(moment);
  await page.evaluate(turn);
}

const axeSource = await readFile(createRequire(import.meta.url).resolve("axe-core"), "utf8");

/** What axe-core finds fault with: WCAG 2.2 AA, best practice, and two rules that it leaves out by itself. */
export async function faultsIn(page: Page): Promise<readonly unknown[]> {
  // The policy of the page refuses scripts in the markup, but not those of the browser's debugger.
  if (await page.evaluate("globalThis.axe === undefined")) await page.evaluate(axeSource);
  return page.evaluate(`(async () => {
    const rules = {
      "label-content-name-mismatch": { enabled: true },
      "scrollable-region-focusable": { enabled: true },
    };
    const { violations } = await axe.run(document, { resultTypes: ["violations"], rules });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html.slice(0, 300)]));
  })()`);
}

export const expectAccessible = async (page: Page): Promise<void> =>
  expect(await faultsIn(page)).toEqual([]);

/** Presses a key until one of these has the focus. */
export async function pressUntil(page: Page, key: "Tab" | "ArrowDown", those: Locator) {
  const isThere = async () => (await those.and(page.locator(":focus")).count()) > 0;
  for (let step = 0; step < 60 && !(await isThere()); step++) await page.keyboard.press(key);
  expect(await isThere()).toBe(true);
}

/** Presses Tab until an element has the focus. */
export const tabTo = (page: Page, selector: string): Promise<void> =>
  pressUntil(page, "Tab", page.locator(selector));
