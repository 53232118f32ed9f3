import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { makeBrowser } from "../../support/push-service.ts";
import { until } from "../../support/waiting.ts";
import { describeInBrowser, expectAccessible, type Resident, signIn } from "./open-page.ts";

interface Device {
  readonly id: string;
  readonly endpoint: string;
}

const devicesOf = async (person: Resident): Promise<readonly Device[]> =>
  (await person.ask<{ push_subscriptions: readonly Device[] }>("GET", "/push-subscriptions")).body
    .push_subscriptions;

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

describeInBrowser(
  "the switch for this device in the profile",
  (world) => {
    async function openProfile(who: Resident, fake: string, options = {}): Promise<Page> {
      const page = await world().blank(options);
      await page.addInitScript(fake);
      await page.goto(`${world().origin}/profile`);
      await signIn(page, who.email);
      return page;
    }
    const begin = (page: Page) => page.getByRole("button", { name: "Tell me on this device" });

    it("begins with one tap, says what it tells, and ends with one", async () => {
      const person = await world().person("Told");
      const endpoint = newEndpoint();
      const page = await openProfile(person, fakeOf(endpoint, "granted"));
      await begin(page).waitFor();
      await expectAccessible(page);
      expect(await page.getByRole("form", { name: "On this device" }).count()).toBe(0);
      await begin(page).click();
      await page.getByText("This device tells you.").waitFor();
      expect(await devicesOf(person)).toMatchObject([{ endpoint }]);
      await expectAccessible(page);

      const form = page.getByRole("form", { name: "On this device" });
      await form.getByLabel("What I choose").check();
      await form.getByLabel("Your claim ends soon").uncheck();
      await form.getByRole("button", { name: "Save choice for devices" }).click();
      await page.getByText("Your choice for devices is saved.").waitFor();
      const { body } = await person.ask<{ preferences: { push: string[]; mail: null } }>(
        "GET",
        "/profile/preferences",
      );
      expect(body.preferences.push).toContain("claim.starts");
      expect(body.preferences.push).not.toContain("claim.ends");
      expect(body.preferences.mail).toBeNull();

      await page.reload();
      await page.getByRole("button", { name: "Tell me no longer" }).click();
      await begin(page).waitFor();
      expect(await devicesOf(person)).toEqual([]);
    });

    it("says what to do where the browser says no, and keeps nothing", async () => {
      const person = await world().person("Blocked");
      const page = await openProfile(person, fakeOf(newEndpoint(), "denied"));
      await begin(page).click();
      await page.getByText(/Allow notifications for this page/).waitFor();
      expect(await begin(page).count()).toBe(0);
      expect(await devicesOf(person)).toEqual([]);
    });

    it("says that a browser cannot, and that an iPhone can from its home screen", async () => {
      const person = await world().person("Without");
      const none = "delete globalThis.PushManager;";
      const page = await openProfile(person, none);
      await page.getByText(/^This browser cannot tell you/).waitFor();
      const phone = await openProfile(person, `${none} navigator.standalone = false;`);
      await phone.getByText(/tap Share, then Add to Home Screen/).waitFor();
      await expectAccessible(phone);
    });

    it("is withdrawn at sign-out", async () => {
      const person = await world().person("Leaving");
      const page = await openProfile(person, fakeOf(newEndpoint(), "granted"));
      await begin(page).click();
      await page.getByText("This device tells you.").waitFor();
      await page.getByRole("button", { name: /^Account/ }).click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("button", { name: "Sign in" }).waitFor();
      expect(await devicesOf(person)).toEqual([]);
      expect(await page.evaluate(`localStorage.getItem("the browser's own")`)).toBeNull();
    });

    it("moves to whoever signs in next on the device, though nobody signed out", async () => {
      const [first, second] = [await world().person("First"), await world().person("Second")];
      const endpoint = newEndpoint();
      const page = await openProfile(first, fakeOf(endpoint, "granted"));
      await begin(page).click();
      await page.getByText("This device tells you.").waitFor();
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
      const page = await openProfile(person, fakeOf(newEndpoint(), "granted"), { locale: "de-DE" });
      await page.getByText("Ein weiteres Ihrer Geräte meldet sich auch.").waitFor();
      await page.getByRole("button", { name: "Nicht auf meinen anderen Geräten" }).click();
      await until("it ended", async () => (await devicesOf(person)).length === 0);
    });
  },
  { PUSH_CONTACT: "mailto:parking@example.org" },
);

describeInBrowser("without PUSH_CONTACT", (world) => {
  it("the profile says nothing of devices", async () => {
    const page = await world().open(await world().person("Plain"), "/profile");
    await page.getByRole("heading", { name: "Mail" }).waitFor();
    expect(await page.getByRole("heading", { name: "On this device" }).count()).toBe(0);
  });
});
