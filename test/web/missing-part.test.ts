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

  it("says that there is no connection", async () => {
    const page = await world().open(await world().person("Olga Offline"));
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
    await page.context().setOffline(true);
    await toClaims(page);
    await page.locator(".failed").getByText("Check your connection").waitFor();
    await world().complained("ERR_INTERNET_DISCONNECTED");
  });
});
