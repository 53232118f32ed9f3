import { describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { claimFor, offerOf } from "./offer.ts";
import { describeInBrowser, expectAccessible, type Resident } from "./open-page.ts";

describeInBrowser("the page", (world) => {
  /** Somebody with a spot and a claim, so that every screen has something to show. */
  async function settled(): Promise<Resident> {
    const person = await world().person("Settled");
    await offerOf(person);
    await claimFor(world(), person);
    return person;
  }

  it("prints the board without what operates it", async () => {
    const page = await world().open(await settled(), "/board");
    await page.locator(".board").waitFor();
    expect(await page.locator(".controls").isVisible()).toBe(true);
    await page.emulateMedia({ media: "print" });

    expect(await page.locator(".controls").isVisible()).toBe(false);
    expect(await page.locator(".board").isVisible()).toBe(true);
  });

  it("speaks German with a German browser, and English with one that knows neither", async () => {
    const stranger = await world().blank({ locale: "fi-FI" });
    await stranger.goto(world().origin);
    await stranger.getByRole("button", { name: "Sign in" }).waitFor();
    const page = await world().open(await settled(), "/", { locale: "de-AT" });
    await page.getByRole("heading", { level: 1, name: "Jetzt" }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
    await page.getByRole("link", { name: "Reserviert" }).click();
    await page.getByRole("button", { name: "Stornieren" }).waitFor();
  });

  it("says that it is offline, keeps what it shows, and goes on by itself", async () => {
    const person = await settled();
    const page = await world().open(person, "/claims");
    const card = page.getByRole("button", { name: "Cancel claim" });
    await card.waitFor();
    await page.context().setOffline(true);
    await page.getByText("You are offline").waitFor();
    expect(await card.isVisible()).toBe(true);
    await card.click();
    expect(await page.getByRole("alert").innerText()).toMatch("The service is not responding");
    await world().complained("ERR_INTERNET_DISCONNECTED");

    await page.context().setOffline(false);
    await page.getByText("You are offline").waitFor({ state: "detached" });
    await page.getByRole("alert").waitFor({ state: "detached" });
    await card.click();
    await page.getByText("Cancelled", { exact: true }).waitFor();
  });

  it("keeps the rest of it where a part has a defect, and ways to go on", async () => {
    const page = await world().open(await world().person("Unlucky"), "/claims");
    const json = { notifications: [null], total: 1 };
    await page.route(/\/notifications\?limit=50/, (route) => route.fulfill({ json }), { times: 1 });
    await page.getByRole("link", { name: "Inbox" }).click();
    const broken = page.getByText("This cannot be shown.");
    await broken.waitFor();
    await expectAccessible(page);
    await world().complained("null");

    await page.getByRole("link", { name: "Claims", exact: true }).click();
    await page.getByText("You have no claims at the moment").waitFor();
    expect(await broken.count()).toBe(0);
  });

  describe("of which a part cannot be fetched", () => {
    const toClaims = (page: Page) =>
      page.getByRole("link", { name: "Claims", exact: true }).first().click();
    const part = /\/claims\.[A-Z0-9]{8}\.js$/;

    it("is no longer there after an upgrade: the page begins anew there", async () => {
      const page = await world().open(await world().person("Ugo Upgrade"));
      await page.route(part, (route) => route.fulfill({ status: 404 }));
      await toClaims(page);
      await page.getByText("This part of the page could not be loaded").waitFor();
      await expectAccessible(page);
      await page.unroute(part);
      await page.getByRole("button", { name: "Start over" }).click();

      await page.getByText("You have no claims at the moment").waitFor();
      expect(new URL(page.url()).pathname).toBe("/claims");
      await world().complained("404");
    });

    it("says that there is no connection", async () => {
      const page = await world().open(await world().person("Olga Offline"));
      await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
      await page.context().setOffline(true);
      await toClaims(page);
      await page.locator(".failed").getByText("Check your connection").waitFor();
      await world().complained("ERR_INTERNET_DISCONNECTED");
    });

    it("may be its language: then it speaks the other one", async () => {
      const page = await world().blank({ locale: "de-DE" });
      await page.route(/\/de\.[A-Z0-9]{8}\.js$/, (route) => route.abort());
      await page.goto(world().origin);

      await page.getByRole("button", { name: "Sign in" }).waitFor();
      expect(await page.locator("html").getAttribute("lang")).toBe("en");
      await world().complained("ERR_FAILED");
    });

    it("may be all that it says: then it says so in both languages, and begins anew", async () => {
      const page = await world().blank();
      const texts = /\/(de|en)\.[A-Z0-9]{8}\.js$/;
      await page.route(texts, (route) => route.abort());
      await page.goto(world().origin);
      await page.getByText("This page could not be loaded.").waitFor();
      await expectAccessible(page);
      await page.unroute(texts);
      await page.getByRole("link", { name: "Try again" }).click();

      await page.getByRole("button", { name: "Sign in" }).waitFor();
      await world().complained("ERR_FAILED");
      await world().complained("Failed to fetch dynamically imported module");
    });
  });
});
