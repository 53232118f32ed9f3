import { afterEach, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { people } from "../../../src/development/people.ts";
import { describeWithChromium, launchChromium } from "../../support/chromium.ts";
import { type DemoService, startDemoService } from "../../support/demo-service.ts";
import { untilGreeting } from "../../support/greeting.ts";
import { PATIENCE_MS } from "../../support/waiting.ts";
import { signIn, untilKept } from "./open-page.ts";

describeWithChromium("a page whose service is upgraded", () => {
  let service: DemoService | undefined;
  let browser: Browser | undefined;
  afterEach(async () => {
    await browser?.close();
    await service?.stop();
  });

  const now = (page: Page) => page.getByRole("heading", { level: 1, name: "Now" });
  const settings = (page: Page) => page.locator('meta[name="settings"]').getAttribute("content");

  /** Signed in, with the page's own files kept. */
  async function openPage(origin: string): Promise<Page> {
    browser = await launchChromium();
    const context = await browser.newContext({ locale: "en-GB" });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    await page.goto(origin);
    await signIn(page, people.maria.email);
    await now(page).waitFor();
    await untilKept(page);
    return page;
  }

  /** Another version at the same address: its API is elsewhere, so the old page is of no use there. */
  async function upgrade(): Promise<void> {
    const port = new URL(service?.origin ?? "").port;
    await service?.stop();
    service = await startDemoService({ PORT: port, BASE_PATH: "/api/v2" });
    await untilGreeting(service.origin);
  }

  it("begins again with the new one, where nobody has touched it", async () => {
    service = await startDemoService();
    const page = await openPage(service.origin);
    expect(await settings(page)).toContain('"basePath":"/api"');
    await upgrade();
    // Its own files are there at once; the newer ones come meanwhile.
    await page.reload();
    await page.locator('meta[content*="/api/v2"]').waitFor({ state: "attached" });
    await now(page).waitFor();
  });

  it("says so where somebody uses it, and takes the new one with their next step", async () => {
    service = await startDemoService();
    const page = await openPage(service.origin);
    await page.getByRole("button", { name: "Account and more" }).click();
    await page.keyboard.press("Escape");
    await upgrade();
    await page.evaluate("navigator.serviceWorker.getRegistration().then((it) => it.update())");
    await page.getByText("There is a new version of this page").waitFor();
    expect(await settings(page)).toContain('"basePath":"/api"');

    const document = page.waitForRequest((request) => request.isNavigationRequest());
    await page.getByRole("link", { name: "Claims", exact: true }).click();
    await document;
    await page.locator('meta[content*="/api/v2"]').waitFor({ state: "attached" });
    await page.getByRole("heading", { level: 1, name: "Claims" }).waitFor();
  });
});
