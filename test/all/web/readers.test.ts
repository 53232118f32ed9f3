import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { addresses } from "../../../src/addresses.ts";
import { dayAfter } from "../../support/patterns.ts";
import { at, offerOf } from "./offer.ts";
import { describeInBrowser } from "./open-page.ts";
import { PHONE } from "./steps.ts";

const boardOfTomorrow = `/board?date=${dayAfter(1)}&days=1`;

describeInBrowser("a reader of the page", (world) => {
  const { spot: _, ...screens } = addresses;

  it.each([
    ["fr-FR", "18:00–20:00"],
    ["pl-PL", "18:00–20:00"],
    ["en-US", "6:00 PM–8:00 PM"],
  ])("reads hours as usual in their own language, %s", async (locale, times) => {
    const { spot } = await offerOf(await world().person("Owner"), at(1, "18:00"), at(1, "20:00"));
    const reader = await world().person("Reader");
    const page = await world().open(reader, boardOfTomorrow, { locale });
    const bar = page.getByRole("button", { name: `${spot.spot_number}: Free` });
    expect((await bar.getAttribute("aria-label"))?.replace(/\s/g, " ")).toContain(times);
  });

  it("sees in forced colours what is selected", async () => {
    const page = await world().open(await world().person("Reader"), boardOfTomorrow);
    await page.emulateMedia({ forcedColors: "active" });
    for (const selected of ['[aria-pressed="true"]', ".tab[aria-current]"]) {
      await page.locator(selected).first().waitFor({ state: "attached" });
      const style = `getComputedStyle(document.querySelector(${JSON.stringify(selected)})).outlineStyle`;
      expect([selected, await page.evaluate(style)]).toEqual([selected, "solid"]);
    }
  });

  it("meets a bar of one hour within 24 pixels", async () => {
    const { spot } = await offerOf(await world().person("Owner"), at(1, "12:00"), at(1, "13:00"));
    const page = await world().open(await world().person("Reader"), boardOfTomorrow, PHONE);
    const bar = page.getByRole("button", { name: `${spot.spot_number}: Free` });
    await bar.scrollIntoViewIfNeeded();
    const met = await bar.evaluate((element) => {
      const { left, width, top, height } = element.getBoundingClientRect();
      return [-11, 0, 11].map((away) => {
        const at = element.ownerDocument.elementFromPoint(
          left + width / 2 + away,
          top + height / 2,
        );
        return at?.closest("button") === element;
      });
    });
    expect(met).toEqual([true, true, true]);
  });

  it("has a browser of 2023", async () => {
    const lacking = `
      delete Map.groupBy; delete Object.groupBy; delete Promise.withResolvers; delete Promise.try;
      delete AbortSignal.any; delete URL.parse; delete URL.canParse; delete Array.fromAsync;
      delete globalThis.Iterator; delete RegExp.escape;
      for (const name of ["union", "intersection", "difference", "isSubsetOf", "isSupersetOf"])
        delete Set.prototype[name];
      for (const name of ["isWellFormed", "toWellFormed"]) delete String.prototype[name];
    `;
    const owner = await world().person("Owner");
    const { spot } = await offerOf(owner, at(1, "08:00"), at(1, "12:00"));
    const old = { prepare: (it: Page) => it.addInitScript(lacking) };
    const page = await world().open(await world().person("Reader"), boardOfTomorrow, old);
    await page.getByRole("button", { name: `${spot.spot_number}: Free` }).waitFor();
    const background = "getComputedStyle(document.documentElement).backgroundColor";
    const colours = new Set<unknown>();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      colours.add(await page.evaluate(background));
    }
    expect(colours).toEqual(new Set(["rgb(243, 245, 248)", "rgb(14, 20, 25)"]));
    const index = await (await fetch(world().origin)).text();
    expect(index).not.toContain("light-dark");
    const ofAdministrator = await world().open(world().administrator(), "/", old);
    for (const path of Object.values(screens)) {
      await ofAdministrator.goto(world().origin + path);
      await ofAdministrator.locator(".foot").waitFor();
      expect(await ofAdministrator.locator(".failed").count()).toBe(0);
    }
  }, 300_000);
});
