import { afterEach, expect, it } from "@jest/globals";
import type { Browser } from "playwright-core";
import { type Building, openBuilding } from "../../support/building.ts";
import { describeWithChromium, launchChromium } from "../../support/chromium.ts";
import { untilGreeting } from "../../support/greeting.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { PATIENCE_MS } from "../../support/waiting.ts";

describeWithChromium("a page that the operator has switched off", () => {
  let building: Building | undefined;
  let program: Program | undefined;
  let browser: Browser | undefined;
  afterEach(async () => {
    await browser?.close();
    await program?.stop();
    await building?.close();
  });

  it("leaves the browsers that have kept it", async () => {
    building = await openBuilding();
    program = await startProgram(building, { WEB_CLIENT_ID: "page" });
    const { origin } = program;
    await untilGreeting(origin);
    browser = await launchChromium();
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(origin);
    await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");

    await program.stop();
    program = await startProgram(building, { PORT: new URL(origin).port });
    await page.evaluate("navigator.serviceWorker.getRegistration().then((it) => it.update())");
    await page.waitForFunction(
      "navigator.serviceWorker.getRegistrations().then((all) => all.length === 0)",
    );
    expect(await page.evaluate("caches.keys()")).toEqual([]);
    expect((await page.goto(origin))?.status()).toBe(404);
  });
});
