import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { hours } from "../../support/building.ts";
import { claimOf, offerOf, registerSpot } from "./offer.ts";
import { describeInBrowser, expectAccessible } from "./open-page.ts";

const PHONE = { viewport: { width: 390, height: 844 } };

describeInBrowser("the board", (world) => {
  /** The address of a board that shows the day of a time, of the spots of these tests. */
  const boardOf = (time: string, more = "") =>
    `/board?section=Browser&date=${time.slice(0, 10)}${more}`;
  const numbersOn = (page: Page) => page.locator(".board .spot").allInnerTexts();
  const tomorrow = (hour: number) =>
    `${hours(24).slice(0, 10)}T${String(hour).padStart(2, "0")}:00:00Z`;

  it("has what is free first, and it stays where it is once it is claimed", async () => {
    const owner = await world().person("Owner");
    const [from, until] = [tomorrow(8), tomorrow(12)];
    const taken = await offerOf(owner, from, until);
    const free = await offerOf(owner, from, until);
    const claimer = await world().person("Claimer");
    const body = { start_time: from, end_time: until };
    await claimOf(claimer, taken.window, body);
    const page = await world().open(claimer, boardOf(from, "&days=1"));
    await page.getByRole("button", { name: `${taken.spot.spot_number}: Yours` }).waitFor();
    const before = await numbersOn(page);
    expect(before.indexOf(free.spot.spot_number)).toBeLessThan(
      before.indexOf(taken.spot.spot_number),
    );

    await claimOf(claimer, free.window, body);
    await page.getByRole("button", { name: `${free.spot.spot_number}: Yours` }).waitFor();
    expect(await numbersOn(page)).toEqual(before);
  });

  it("has one row for what nobody shares, which opens by keyboard", async () => {
    const owner = await world().person("Owner");
    const { spot_number } = await registerSpot(owner);
    const { window } = await offerOf(owner, tomorrow(8), tomorrow(12));
    const page = await world().open(owner, boardOf(window.start_time, "&days=1"));
    const unshared = page.getByRole("button", { name: /^\d+ not shared$/ });
    await unshared.waitFor();
    expect(await numbersOn(page)).not.toContain(spot_number);

    await unshared.press("Enter");
    await page.getByText(spot_number, { exact: true }).waitFor();
    await expectAccessible(page);
    await page.reload();
    await page.getByText(spot_number, { exact: true }).waitFor();
  });

  it.each(["en-GB", "de-DE"])("shows a free bar on a phone at once, in %s", async (locale) => {
    const { spot } = await offerOf(await world().person("Owner"), tomorrow(8), tomorrow(18));
    const reader = await world().person("Reader");
    const page = await world().open(reader, boardOf(tomorrow(8)), { ...PHONE, locale });
    const bar = page.locator("button.slot.free").first();
    await bar.waitFor();
    const { y = 0, height = 0 } = (await bar.boundingBox()) ?? {};
    const tabs = await page.locator(".tabs").boundingBox();
    expect(y + height).toBeLessThan(tabs?.y ?? 0);
    // A number has one line, and a day is as wide as the phone.
    const number = page.getByText(spot.spot_number, { exact: true });
    const size = await number.evaluate((element) =>
      Number.parseFloat(element.ownerDocument.defaultView.getComputedStyle(element).fontSize),
    );
    expect((await number.boundingBox())?.height).toBeLessThan(2 * size);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  });

  it("keeps the day and the section in sight while a phone scrolls", async () => {
    const owner = await world().person("Owner");
    for (let spot = 0; spot < 20; spot++) await offerOf(owner, tomorrow(8), tomorrow(18));
    const page = await world().open(owner, boardOf(tomorrow(8)), PHONE);
    await page.locator("button.slot").nth(19).waitFor();
    await page.evaluate("scrollTo(0, 600)");
    const { y = 0, height = 0 } = (await page.locator(".scale .day > span").boundingBox()) ?? {};
    const head = await page.locator(".head").boundingBox();
    const section = await page.locator(".board h2").boundingBox();
    // One below the other, at the top.
    expect(y).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0) - 1);
    expect(section?.y).toBeGreaterThan(y);
    expect(y + height).toBeLessThan(PHONE.viewport.height / 4);
    expect(section?.y).toBeLessThan(PHONE.viewport.height / 4);
    const background = `getComputedStyle(document.querySelector(".board h2")).backgroundColor`;
    expect(await page.evaluate(background)).toMatch(/^rgb\(/);
  });

  it("cuts no text of a bar, and says it all in its name", async () => {
    const owner = await world().person("Owner");
    const short = await offerOf(owner, tomorrow(8), tomorrow(9));
    const long = await offerOf(owner, tomorrow(6), tomorrow(20));
    const page = await world().open(await world().person("Reader"), boardOf(tomorrow(8)), PHONE);
    for (const [{ spot }, times] of [
      [short, "08:00–09:00"],
      [long, "06:00–20:00"],
    ] as const) {
      const bar = page.getByRole("button", { name: `${spot.spot_number}: Free ${times}` });
      await bar.waitFor();
      // What does not fit is below the one line, or ends in an ellipsis.
      const isCut = await bar.evaluate((element) => {
        const box = (element.firstElementChild ?? element).getBoundingClientRect();
        return [...element.querySelectorAll(".text > *")].some((part) => {
          const { left, right, top } = part.getBoundingClientRect();
          return top < box.bottom && (left < box.left || right > box.right);
        });
      });
      expect(isCut).toBe(false);
    }
  });

  it("has its filters in a sheet, and says how many are set", async () => {
    const { spot } = await offerOf(await world().person("Owner"), tomorrow(8), tomorrow(18));
    const date = tomorrow(8).slice(0, 10);
    const page = await world().open(await world().person("Reader"), `/board?date=${date}`, PHONE);
    await page.getByRole("button", { name: "Filters", exact: true }).press("Enter");
    const sheet = page.getByRole("dialog", { name: "Filters" });
    await sheet.getByLabel("Section").selectOption("Browser");
    await sheet.getByLabel("Only what is free").check();
    await sheet.getByRole("button", { name: "Table" }).click();
    await expectAccessible(page);
    await sheet.getByRole("button", { name: "Show" }).click();
    await page.getByRole("button", { name: "Filters 3 set" }).waitFor();
    await page.getByRole("button", { name: `Claim ${spot.spot_number}, ` }).waitFor();
    await expectAccessible(page);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  });

  it("leads from day to day in one strip", async () => {
    await offerOf(await world().person("Owner"));
    const page = await world().open(await world().person("Reader"), "/board?days=1");
    const days = page.getByRole("group", { name: "First day" }).getByRole("button");
    const pressed = page.locator(".strip [aria-pressed=true]");
    await days.first().waitFor();
    await pressed.getByText("Today").waitFor();
    await days.nth(2).click();
    expect(await pressed.innerText()).not.toMatch("Today");
    await days.nth(14).click();
    const chosen = () => Date.parse(new URL(page.url()).searchParams.get("date") ?? "");
    const last = chosen();
    // After the fourteenth day comes the first one of the next strip.
    await page.getByRole("button", { name: "Later" }).click();
    expect(chosen()).toBe(last + 86_400_000);
    await page.getByRole("button", { name: "Today" }).click();
    await pressed.getByText("Today").waitFor();
    await expectAccessible(page);
  });

  it("marks a spot that nobody has verified, in the bar, the table and the form", async () => {
    const { spot, window } = await offerOf(await world().person("Owner"));
    const reader = await world().person("Reader");
    const page = await world().open(reader, boardOf(window.start_time, "&days=3"));
    const bar = page.getByRole("button", {
      name: new RegExp(`^${spot.spot_number}: .*Not verified`),
    });
    const mark = bar.locator(".unverified");
    await mark.waitFor();
    // A sign in the line of the text, and not as large as that of the building.
    expect((await mark.boundingBox())?.height).toBeLessThanOrEqual(20);
    await page.goto(world().origin + boardOf(window.start_time, "&days=3&view=table"));
    const row = page.getByRole("row", { name: spot.spot_number });
    await row.getByText("Not verified yet").waitFor();
    await row.getByRole("button").click();
    await page.getByRole("dialog").getByText("Not verified yet").waitFor();
    await expectAccessible(page);

    const path = `/admin/parking-spots/${spot.id}`;
    await world().administrator().ask("PUT", path, { is_verified: true });
    await page.goto(world().origin + boardOf(window.start_time, "&days=3"));
    await page.getByRole("button", { name: `${spot.spot_number}: Free` }).waitFor();
    expect(await bar.count()).toBe(0);
  });
});
