import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import type { Spot } from "../../support/building.ts";
import { at, claimOf, offerOf, registerSpot, windowOf } from "./offer.ts";
import { describeInBrowser, expectAccessible, openForLong } from "./open-page.ts";
import { PHONE, widthOf } from "./steps.ts";

describeInBrowser("the board", (world) => {
  /** The address of a board that shows the day of a time, of the spots of these tests. */
  const boardOf = (time: string, more = "") =>
    `/board?section=Browser&date=${time.slice(0, 10)}${more}`;
  const numbersOn = (page: Page) => page.locator(".board .spot").allInnerTexts();
  const tomorrow = (hour: number) => at(1, `${String(hour).padStart(2, "0")}:00`);

  it("has sections and spots in the order of their numbers, whatever is free", async () => {
    const owner = await world().person("Owner");
    const [from, until] = [tomorrow(8), tomorrow(12)];
    for (const spot_number of ["Order 10", "Order 9", "Order 2"]) {
      const body = { spot_number, building_section: "Browser" };
      const { spot } = (await owner.ask<{ spot: Spot }>("POST", "/parking-spots", body)).body;
      const window = await windowOf(owner, spot, from, until);
      if (spot_number !== "Order 9") await claimOf(await world().person("Claimer"), window);
    }
    const page = await world().open(owner, boardOf(from, "&days=1"));
    await page.getByText("Order 10", { exact: true }).waitFor();
    const ours = (await numbersOn(page)).map((it) => /^Order \d+/.exec(it)?.[0]).filter(Boolean);
    expect(ours).toEqual(["Order 2", "Order 9", "Order 10"]);
  });

  it("begins in the evening with the evening, and has the whole day where somebody asks", async () => {
    await offerOf(await world().person("Owner"));
    const page = await openForLong(world(), await world().person("Reader"), "/board?days=1");
    await page.clock.setFixedTime(at(1, "20:30"));
    await page.reload();
    const labels = page.locator(".scale .hour");
    const hoursShown = async () => (await labels.allInnerTexts()).filter(Boolean);
    await labels.first().waitFor();
    expect((await hoursShown())[0]).toBe("18");
    expect(await page.locator(".scale .day").count()).toBe(2);
    await page.getByRole("button", { name: /^Today/ }).click();
    await page.locator(".scale .day").nth(1).waitFor({ state: "detached" });
    // The board may be gone while it is read. Midnight has no hour.
    await labels.nth(1).waitFor();
    expect((await hoursShown())[0]).toBe("02");
  });

  it("has a star for each spot that can be claimed, and marks those that have one", async () => {
    const owner = await world().person("Owner");
    const { spot } = await offerOf(owner, tomorrow(8), tomorrow(12));
    const page = await world().open(await world().person("Fan"), boardOf(tomorrow(8), "&days=1"));
    const bar = page.getByRole("button", { name: new RegExp(`^${spot.spot_number}: Free`) });
    const name = `Favourite: ${spot.spot_number}`;
    const mark = page.locator(".board .spot", { hasText: name });
    await bar.click();
    expect(await mark.count()).toBe(0);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name }).click();
    await dialog.locator(".star[aria-pressed=true]").waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await mark.waitFor();
    await expectAccessible(page);
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
    expect(await widthOf(page)).toBe(390);
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
    await sheet.getByLabel("Only free spots").check();
    await sheet.getByRole("button", { name: "Table" }).click();
    await expectAccessible(page);
    await sheet.getByRole("button", { name: "Show" }).click();
    await page.getByRole("button", { name: "Filters 3 set" }).waitFor();
    await page.getByRole("button", { name: `Claim ${spot.spot_number}, ` }).waitFor();
    await expectAccessible(page);
    expect(await widthOf(page)).toBe(390);
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
