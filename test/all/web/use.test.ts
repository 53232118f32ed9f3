import { readFile } from "node:fs/promises";
import { expect, it } from "@jest/globals";
import type { Spot } from "../../support/building.ts";
import { until } from "../../support/waiting.ts";
import { claimOf, registerSpot, windowOf } from "./offer.ts";
import { describeInBrowser, expectAccessible } from "./open-page.ts";
import { chooseInMenu } from "./steps.ts";

describeInBrowser("how an administrator sees what is used", (world) => {
  const day = (count: number) =>
    new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);
  const open = (path: string, options = {}) => world().open(world().administrator(), path, options);

  it("shows five reports on the last four weeks", async () => {
    const { spot_number } = await registerSpot(await world().person("Hoarder"));
    const page = await open("/use");
    for (const title of [
      "When spots are used",
      "Sections over time",
      "Spots never offered",
      "Times that nobody claimed",
      "When people waited in vain",
    ]) {
      await page.getByRole("heading", { name: title }).waitFor();
    }
    await page.getByRole("row", { name: `${spot_number} Browser Hoarder` }).waitFor();
    await page.locator(".loading").first().waitFor({ state: "detached" });
    await expectAccessible(page);
  });

  /** Claims half of a spot that is offered for ten hours, in two days. */
  async function halfClaimed(section: string): Promise<Spot> {
    const owner = await world().person("Sharer");
    const spot = await registerSpot(owner, section);
    const times = { start_time: `${day(2)}T08:00:00Z`, end_time: `${day(2)}T18:00:00Z` };
    const window = await windowOf(owner, spot, times.start_time, times.end_time);
    const part = { ...window, end_time: `${day(2)}T13:00:00Z` };
    await claimOf(await world().person("Claimer"), part);
    return spot;
  }

  it("shades each share in a table that has the number too", async () => {
    const spot = await halfClaimed("Browser");
    const page = await open(`/use?first=${day(2)}&last=${day(2)}&section=${spot.building_section}`);
    await page.getByText("5 of 10 h, 50%").waitFor();
    const table = page.getByRole("table", { name: "When spots are used" });
    // Five hours in the darkest shade, five in the lightest, the others not offered.
    expect(await table.locator(".shade-4").allInnerTexts()).toEqual(Array(5).fill("100%"));
    expect(await table.locator(".shade-0").allInnerTexts()).toEqual(Array(5).fill("0%"));
    expect(await table.getByText("not offered").count()).toBe(158);
    await table
      .getByRole("row", { name: /^08:00/ })
      .getByText("100%")
      .waitFor();
    const sections = page.getByRole("table", { name: "Sections over time" });
    await sections.locator(".shade-2").getByText("50%").waitFor();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await expectAccessible(page);
  });

  it("reports on the period and the section in the address, and says why it cannot", async () => {
    const page = await open("/use?section=Nowhere");
    await page.getByText("Every spot was offered at least once.").waitFor();

    await page.getByLabel("First day").fill("2020-01-01");
    await page.getByLabel("First day").blur();
    // All five reports refuse it, and the page says so once.
    const alerts = page.getByRole("alert");
    await until("one alert", async () => (await alerts.count()) === 1);
    expect(new URL(page.url()).searchParams.get("first")).toBe("2020-01-01");
    // On a busy machine, some of the five are refused with 503, and not asked for again.
    await world().complained("400");
  });

  it("gives a report in German as spreadsheets in German read it, whatever the browser speaks", async () => {
    await halfClaimed("Hälfte");
    const page = await open(`/use?first=${day(2)}&last=${day(2)}&section=H%C3%A4lfte`);
    await chooseInMenu(page, "Deutsch");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "CSV herunterladen: Bereiche im Zeitverlauf" }).click(),
    ]);
    const content = await readFile(await file.path(), "utf8");
    expect(content).toMatch(/^\uFEFFbuilding_section;first_day;.*\r\nHälfte;.*;0,50*\r\n$/);
  });
});
