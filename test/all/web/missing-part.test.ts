import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { describeInBrowser, expectAccessible } from "./open-page.ts";

describeInBrowser("a part of the page that cannot be fetched", (world) => {
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
    await page.getByRole("button", { name: "Begin anew" }).click();

    await page.getByText("You have no claims at the moment").waitFor();
    expect(new URL(page.url()).pathname).toBe("/claims");
    await world().complained("404");
  });

  it("is shown also where it came between the drawing and what the drawing begins", async () => {
    const page = await world().open(await world().person("Lea Late"));
    await page.getByRole("heading", { name: "Free spots" }).waitFor();
    await page.clock.install();
    const release = Promise.withResolvers<void>();
    await page.route(part, async (route) => {
      await release.promise;
      await route.continue();
    });
    const asked = page.waitForRequest(part);
    await toClaims(page);
    await asked;
    await page.getByRole("link", { name: "Now", exact: true }).first().click();
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
    // From here on, what a drawing begins waits: the page begins it by a timer.
    await page.clock.pauseAt(Date.now() + 60_000);
    await toClaims(page);
    await page.getByRole("heading", { level: 1, name: "Claims" }).waitFor();
    const answered = page.waitForResponse(part);
    release.resolve();
    await (await answered).finished();
    // The module is there once the same import is.
    await page.evaluate(`import("${new URL((await asked).url()).pathname}")`);
    await page.clock.resume();

    await page.getByText("You have no claims at the moment").waitFor();
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
