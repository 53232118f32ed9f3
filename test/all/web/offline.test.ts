import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { until } from "../../support/waiting.ts";
import { claimOf, offerOf } from "./offer.ts";
import { describeInBrowser, expectAccessible, type Resident, untilKept } from "./open-page.ts";
import { chooseInMenu, signOut } from "./steps.ts";

const withWorker = { serviceWorkers: "allow" } as const;

describeInBrowser("the page without a network", (world) => {
  const phone = "+43 660 1234567";

  /** Somebody who parks at an owner's spot soon. */
  async function claimer(): Promise<{ readonly who: Resident; readonly spot: string }> {
    const owner = await world().person("Olaf Owner");
    const shared = { full_name: "Olaf Owner", apartment_number: "7", phone_number: phone };
    await owner.ask("PUT", "/profile", { ...shared, shares_phone_number: true });
    const { spot, window } = await offerOf(owner);
    const who = await world().person("Clara Claimer");
    await claimOf(who, window);
    return { who, spot: spot.spot_number };
  }

  const hero = (page: Page) => page.locator(".hero");

  async function openKept(who: Resident): Promise<Page> {
    const page = await world().open(who, "/", withWorker);
    await hero(page).getByText(phone).waitFor();
    await untilKept(page);
    return page;
  }

  it("shows the next claim, the phone number of the owner, and the time of these data", async () => {
    const { who, spot } = await claimer();
    const page = await openKept(who);
    const times = await hero(page).locator(".hero-time span").innerText();
    await page.context().setOffline(true);
    await page.reload();

    await hero(page).getByText(spot).waitFor();
    expect(await hero(page).locator(".hero-time span").innerText()).toBe(times);
    expect(await hero(page).getByText(phone).getAttribute("href")).toBe("tel:+436601234567");
    await page.getByText(/^As of \d\d:\d\d$/).waitFor();
    await expectAccessible(page);
    // The service worker says it in other words than the page.
    await world().complained("net::ERR_");

    await page.context().setOffline(false);
    await page.getByText(/^As of/).waitFor({ state: "detached" });
  });

  it("also shows it where the token has ended meanwhile", async () => {
    const { who, spot } = await claimer();
    const page = await openKept(who);
    await page.evaluate(`
      const { refreshToken, ...kept } = JSON.parse(localStorage.getItem("tokens"));
      localStorage.setItem("tokens", JSON.stringify({ ...kept, endsAt: 0, renewAt: 0 }));
    `);
    await page.context().setOffline(true);
    await page.reload();

    await hero(page).getByText(spot).waitFor();
    await hero(page).getByText(phone).waitFor();
    await world().complained("net::ERR_");
  });

  it("starts in the other language, which somebody chooses there", async () => {
    const page = await openKept((await claimer()).who);
    await page.context().setOffline(true);
    await chooseInMenu(page, "Deutsch");

    await page.getByRole("heading", { level: 1, name: "Jetzt" }).waitFor();
    await world().complained("net::ERR_");
  });

  it("keeps nothing of a person who signed out", async () => {
    const { who, spot } = await claimer();
    const page = await openKept(who);
    await signOut(page);

    expect(await page.evaluate("localStorage.length")).toBe(0);
    // What is left are files that are the same for everybody.
    const cached = await page.evaluate(`
      caches.keys().then(async ([name]) => {
        const cache = await caches.open(name);
        return Promise.all((await cache.keys()).map(async (key) =>
          new URL(key.url).pathname + " " + (await (await cache.match(key)).text()).includes("${spot}")));
      })`);
    expect(cached).toContain("/ false");
    for (const entry of cached as string[]) {
      expect(entry).toMatch(/^\/(\w+\.[A-Z0-9]{8}\.\w+|\w+\.\w+\.[A-Z0-9]{8}\.\w+)? false$/);
    }

    await page.context().setOffline(true);
    await page.reload();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(await page.getByText(spot).count()).toBe(0);
  });

  it("keeps nothing for a person whose approval was withdrawn", async () => {
    const { who, spot } = await claimer();
    const page = await openKept(who);
    await world().administrator().ask("PUT", `/admin/profiles/${who.id}`, { is_approved: false });
    await page.reload();
    await until("what was kept is gone", async () => {
      const kept = await page.evaluate('localStorage.getItem("kept")');
      return !String(kept).includes(spot);
    });
    // None where it heard of it before it asked for anything.
    await world().complained("403", 0);

    await page.context().setOffline(true);
    await page.reload();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    expect(await page.getByText(spot).count()).toBe(0);
    await world().complained("net::ERR_");
  });

  it("opens screens that it has no room to keep", async () => {
    const page = await world().open(await world().person("Fred Full"), "/", withWorker);
    await untilKept(page);
    const session = await page.context().newCDPSession(page);
    const { origin } = world();
    await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
    await page.getByRole("link", { name: "Claims", exact: true }).first().click();

    await page.getByText("You have no claims at the moment").waitFor();
  });

  it("has all that a browser asks for to install it", async () => {
    const page = await world().open(await world().person("Ina Installs"), "/", withWorker);
    await untilKept(page);
    const session = await page.context().newCDPSession(page);
    const { data = "", errors } = await session.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    const manifest: {
      name: string;
      display: string;
      icons: { src: string; sizes: string; purpose: string }[];
    } = JSON.parse(data);

    const { name } = await world().administrator().read<{ name: string }>("/building");
    expect(manifest).toMatchObject({ name, display: "standalone" });
    expect(manifest.icons.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
      ["any", "any"],
      ["192x192", "any"],
      ["512x512", "any"],
      ["512x512", "maskable"],
    ]);
    for (const { src, sizes } of manifest.icons) {
      const width = await page.evaluate(`new Promise((done, fail) => {
        const icon = new Image();
        icon.onload = () => done(icon.naturalWidth);
        icon.onerror = fail;
        icon.src = ${JSON.stringify(src)};
      })`);
      if (sizes !== "any") expect(`${width}x${width}`).toBe(sizes);
    }
  });
});
