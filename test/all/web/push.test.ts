import { runInNewContext } from "node:vm";
import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { type PushMessage, pushMessageOf } from "../../../src/push/message.ts";
import { hours } from "../../support/building.ts";
import { makeBrowser } from "../../support/push-service.ts";
import { until } from "../../support/waiting.ts";
import { claimsOf, offerOf } from "./offer.ts";
import {
  describeInBrowser,
  expectAccessible,
  type Resident,
  signIn,
  type World,
} from "./open-page.ts";
import { chooseInMenu, widthOf } from "./steps.ts";

interface Device {
  readonly id: string;
  readonly endpoint: string;
}

const devicesOf = (person: Resident) => person.read<readonly Device[]>("/push-subscriptions");

/**
 * The headless shell has no push service. This is a browser that has one: it remembers its subscription like
 * a real one, also over a reload, and asks the person with this answer.
 */
const fakeOf = (endpoint: string, answer: "granted" | "denied") => `{
  const keys = ${JSON.stringify(makeBrowser().keys)};
  const KEY = "the browser's own";
  const made = () => {
    const kept = localStorage.getItem(KEY);
    if (kept === null) return null;
    const { key, endpoint } = JSON.parse(kept);
    const bytes = Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (it) => it.charCodeAt(0));
    return {
      endpoint,
      options: { applicationServerKey: bytes.buffer },
      toJSON: () => ({ endpoint, keys }),
      async unsubscribe() { localStorage.removeItem(KEY); return true; },
    };
  };
  const pushManager = {
    getSubscription: async () => made(),
    async subscribe({ applicationServerKey, userVisibleOnly }) {
      if (!userVisibleOnly) throw new Error("not allowed");
      localStorage.setItem(KEY, JSON.stringify({ key: applicationServerKey, endpoint: "${endpoint}" }));
      return made();
    },
  };
  const registration = { pushManager };
  Object.defineProperty(navigator, "serviceWorker", {
    value: {
      ready: Promise.resolve(registration),
      getRegistration: async () => registration,
      register: () => new Promise(() => {}),
      addEventListener() {},
      controller: null,
    },
  });
  globalThis.PushManager = class {};
  globalThis.Notification = class {
    static permission = "default";
    static async requestPermission() {
      Notification.permission = "${answer}";
      return "${answer}";
    }
  };
}`;

let endpoints = 0;
const newEndpoint = () => {
  endpoints += 1;
  return `https://push.example.net/device-${endpoints}`;
};

const settings = { PUSH_CONTACT: "mailto:parking@example.org" };

const tests = (world: () => World) => {
  const openProfile = (who: Resident, fake: string, options = {}) =>
    world().open(who, "/profile", { prepare: (page) => page.addInitScript(fake), ...options });
  const begin = (page: Page) => page.getByRole("button", { name: "Tell me on this device" });

  it("begins with one tap, says what it tells, and ends with one", async () => {
    const person = await world().person("Told");
    const endpoint = newEndpoint();
    const page = await openProfile(person, fakeOf(endpoint, "granted"));
    await begin(page).waitFor();
    await expectAccessible(page);
    expect(await page.getByRole("form", { name: "Notifications on this device" }).count()).toBe(0);
    await begin(page).click();
    await page.getByRole("button", { name: "Turn off on this device" }).waitFor();
    expect(await devicesOf(person)).toMatchObject([{ endpoint }]);
    await expectAccessible(page);

    const form = page.getByRole("form", { name: "Notifications on this device" });
    await form.getByLabel("What I choose").check();
    await form.getByLabel("Your claim ends soon").uncheck();
    await form.getByRole("button", { name: "Save notification choices" }).click();
    await page.getByText("Your choice of notifications is saved.").waitFor();
    const saved = await person.read<{ push: string[]; mail: null }>("/profile/preferences");
    expect(saved.push).toContain("claim.starts");
    expect(saved.push).not.toContain("claim.ends");
    expect(saved.mail).toBeNull();

    await page.reload();
    await page.getByRole("button", { name: "Turn off on this device" }).click();
    await begin(page).waitFor();
    expect(await devicesOf(person)).toEqual([]);
  });

  it("says what to do where the browser says no, and keeps nothing", async () => {
    const person = await world().person("Blocked");
    const page = await openProfile(person, fakeOf(newEndpoint(), "denied"));
    await begin(page).click();
    await page.getByText(/blocks notifications of this page/).waitFor();
    expect(await begin(page).count()).toBe(0);
    expect(await devicesOf(person)).toEqual([]);
  });

  it("says that a browser cannot, and that an iPhone can from its home screen", async () => {
    const person = await world().person("Without");
    const none = "delete globalThis.PushManager;";
    const page = await openProfile(person, none);
    await page.getByText(/^This browser cannot show notifications/).waitFor();
    const phone = await openProfile(person, `${none} navigator.standalone = false;`);
    await phone.getByText(/tap Share, then Add to Home Screen/).waitFor();
    await expectAccessible(phone);
  });

  it("is withdrawn at sign-out", async () => {
    const person = await world().person("Leaving");
    const page = await openProfile(person, fakeOf(newEndpoint(), "granted"));
    await begin(page).click();
    await page.getByRole("button", { name: "Turn off on this device" }).waitFor();
    await chooseInMenu(page, "Sign out");
    await page.waitForURL(/\/session\/end/);
    await page.goto(world().origin);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(await devicesOf(person)).toEqual([]);
    expect(await page.evaluate(`localStorage.getItem("the browser's own")`)).toBeNull();
  });

  it("moves to whoever signs in next on the device, though nobody signed out", async () => {
    const [first, second] = [await world().person("First"), await world().person("Second")];
    const endpoint = newEndpoint();
    const page = await openProfile(first, fakeOf(endpoint, "granted"));
    await begin(page).click();
    await page.getByRole("button", { name: "Turn off on this device" }).waitFor();
    await page.evaluate(
      `for (const it of ["tokens", "signed-in", "kept"]) localStorage.removeItem(it)`,
    );
    await page.context().clearCookies();
    await page.goto(`${world().origin}/profile`);
    await signIn(page, second.email);
    await until("it moved", async () => (await devicesOf(second)).length === 1);
    expect(await devicesOf(second)).toMatchObject([{ endpoint }]);
    expect(await devicesOf(first)).toEqual([]);
  });

  it("ends it on other devices, such as a lost phone", async () => {
    const person = await world().person("Loser");
    const { keys } = makeBrowser();
    await person.ask("POST", "/push-subscriptions", { endpoint: newEndpoint(), ...keys });
    const page = await openProfile(person, fakeOf(newEndpoint(), "granted"), {
      locale: "de-DE",
      viewport: { width: 320, height: 640 },
      colorScheme: "dark",
    });
    await page.getByText("Sie bekommen sie auch auf einem anderen Gerät.").waitFor();
    await expectAccessible(page);
    expect(await widthOf(page)).toBe(320);
    await page.getByRole("button", { name: "Auf anderen Geräten ausschalten" }).click();
    await until("it ended", async () => (await devicesOf(person)).length === 0);
  });

  const message: PushMessage = {
    title: "A parking spot is free, as you wished",
    body: "Parking spot A-101 is free.",
    lang: "en",
    tag: "4711",
    path: "/claims?wish=1",
    claim: { path: "/claims?window=2", claim: "Claim", later: "Not now" },
  };

  /** The worker of the page, in a browser of which each step is noted. */
  async function workerWith(tabs: readonly object[] = []) {
    const listeners = new Map<string, (event: object) => void>();
    const steps: unknown[] = [];
    const self = {
      addEventListener: (type: string, listener: (event: object) => void) =>
        listeners.set(type, listener),
      clients: {
        matchAll: async () => tabs,
        openWindow: async (path: string) => steps.push(["opens", path]),
      },
      registration: {
        showNotification: async (...shown: unknown[]) => steps.push(shown),
        pushManager: { subscribe: async (options: object) => steps.push(options) },
      },
    };
    const source = await (await fetch(`${world().origin}/service-worker.js`)).text();
    runInNewContext(source, { self, URL });
    return {
      steps,
      async hears(type: string, event: object): Promise<void> {
        const works: Promise<unknown>[] = [];
        const waitUntil = (work: Promise<unknown>) => works.push(work);
        listeners.get(type)?.({ waitUntil, ...event });
        await Promise.all(works);
      },
    };
  }
  type Worker = Awaited<ReturnType<typeof workerWith>>;

  const shown = async (worker: Worker, pushed: PushMessage) => {
    await worker.hears("push", { data: { json: () => pushed } });
    const [title, options] = worker.steps.splice(0)[0] as [string, { data: object }];
    return { title, ...options };
  };

  it("shows what was pushed, with two buttons where a spot is offered", async () => {
    const worker = await workerWith();
    const { title, body, lang, tag } = message;
    const shared = { title, body, lang, tag };
    expect(await shown(worker, message)).toMatchObject({
      ...shared,
      actions: [
        { action: "claim", title: "Claim" },
        { action: "later", title: "Not now" },
      ],
    });
    const { claim: _, ...plain } = message;
    expect(await shown(worker, plain)).toEqual({ ...shared, data: { path: plain.path } });
  });

  it("leads to the claim form, to what it is about, or nowhere", async () => {
    const worker = await workerWith();
    const { data } = await shown(worker, message);
    const press = async (action: string) => {
      let isClosed = false;
      const notification = { data, close: () => (isClosed = true) };
      await worker.hears("notificationclick", { action, notification });
      expect(isClosed).toBe(true);
      return worker.steps.splice(0);
    };
    expect(await press("claim")).toEqual([["opens", "/claims?window=2"]]);
    expect(await press("")).toEqual([["opens", "/claims?wish=1"]]);
    expect(await press("later")).toEqual([]);
  });

  it("uses a tab that is open, unless it may not", async () => {
    const went: string[] = [];
    const tab = {
      navigate: async (path: string) => went.push(path) && tab,
      focus: async () => went.push("focus"),
    };
    const notification = { data: { path: "/inbox" }, close() {} };
    const first = await workerWith([tab]);
    await first.hears("notificationclick", { action: "", notification });
    expect([went, first.steps]).toEqual([["/inbox", "focus"], []]);
    const foreign = { navigate: () => Promise.reject(new TypeError("not controlled")) };
    const second = await workerWith([foreign]);
    await second.hears("notificationclick", { action: "", notification });
    expect(second.steps).toEqual([["opens", "/inbox"]]);
  });

  it("subscribes anew for the same key where the push service ended it", async () => {
    const worker = await workerWith();
    const applicationServerKey = new ArrayBuffer(65);
    const oldSubscription = { options: { applicationServerKey } };
    await worker.hears("pushsubscriptionchange", { oldSubscription });
    expect(worker.steps).toEqual([{ userVisibleOnly: true, applicationServerKey }]);
    await worker.hears("pushsubscriptionchange", { oldSubscription, newSubscription: {} });
    await worker.hears("pushsubscriptionchange", {});
    expect(worker.steps).toHaveLength(1);
  });

  it("leads by its button Claim to the claim form with the times of the wish, where one tap claims", async () => {
    const { spot, window } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Waiter");
    const [from, until] = [hours(21), hours(23)];
    const { claim } = pushMessageOf(
      {
        kind: "wish.fits",
        language: "en",
        time_zone: "UTC",
        items: [{ id: "1", spot_id: spot.id, data: {}, claim: { window: window.id, from, until } }],
      },
      "tag",
    );
    const page = await world().open(claimer, claim?.path);
    await page.getByRole("dialog").getByRole("button", { name: "Claim" }).click();
    await page.getByRole("dialog", { name: `${spot.spot_number} is yours` }).waitFor();
    expect(await claimsOf(claimer)).toMatchObject([{ start_time: from, end_time: until }]);
  });
};

describeInBrowser("notifications on a device", tests, settings);
