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
