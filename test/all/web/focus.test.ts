import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { hours } from "../../support/building.ts";
import { dayAfter, everyDay } from "../../support/patterns.ts";
import { until } from "../../support/waiting.ts";
import { claimFor, claimOf, offerOf, registerSpot, windowOf } from "./offer.ts";
import { describeInBrowser, openLive } from "./open-page.ts";
import { PHONE } from "./steps.ts";

/** People who use the keyboard go on from where they were, though what they pressed is gone. */
describeInBrowser("the focus", (world) => {
  const lowPhone = { viewport: { ...PHONE.viewport, height: 420 } };
  const heading = (page: Page) => page.locator("h1:focus");

  it("goes to the next exception once one is undone, and after the last to the heading", async () => {
    const owner = await world().person("Owner");
    const spot = await registerSpot(owner);
    for (const from of [100, 200, 300]) {
      const times = { start_time: hours(from), end_time: hours(from + 1) };
      await owner.ask("POST", "/exceptions", { spot_id: spot.id, kind: "keep", ...times });
    }
    const page = await world().open(owner, "/spots");
    const undo = page.getByRole("button", { name: /^Undo/ });
    const lines = page.locator("section li");
    await undo.nth(2).waitFor();

    await undo.nth(1).press("Enter");
    await lines.nth(2).waitFor({ state: "detached" });
    await page.locator("section li:nth-child(2) button:focus").waitFor();
    await page.keyboard.press("Enter");
    await lines.nth(1).waitFor({ state: "detached" });
    await page.locator("section li:nth-child(1) button:focus").waitFor();
    await page.keyboard.press("Enter");
    await lines.first().waitFor({ state: "detached" });
    await heading(page).waitFor();
  });

  /** Somebody who shares a spot every day, in the morning and at noon. */
  async function sharer() {
    const owner = await world().person("Owner");
    const { id: spot_id } = await registerSpot(owner);
    const body = { spot_id, weekdays: everyDay, first_day: dayAfter(3), last_day: dayAfter(4) };
    for (const [starts_at, ends_at] of [
      ["08:00", "08:30"],
      ["12:00", "12:30"],
    ])
      await owner.ask("POST", "/patterns", { ...body, starts_at, ends_at });
    return owner;
  }
  const hoursOfWeek = (page: Page) => page.locator("ul.windows > li");

  async function endHours(page: Page): Promise<void> {
    const dialog = page.getByRole("dialog");
    // It was asked about the pattern, which must not be gone before the answer.
    await dialog.getByText(/in the next weeks/).waitFor();
    await dialog.locator("form > button.plain").press("Enter");
  }

  it("goes to the next weekly hours once some have ended, and then to their spot", async () => {
    const page = await world().open(await sharer(), "/spots");

    await hoursOfWeek(page).nth(0).getByRole("button").press("Enter");
    await endHours(page);
    await hoursOfWeek(page).nth(1).waitFor({ state: "detached" });
    await page.locator("ul.windows > li button:focus").waitFor();
    await page.keyboard.press("Enter");
    await endHours(page);
    await hoursOfWeek(page).first().waitFor({ state: "detached" });
    await page.locator("ul.stack > li button:focus").waitFor();
  });

  it("goes to the next entry also where an entry went before the answer came", async () => {
    const page = await openLive(world(), await sharer(), "/spots");
    await hoursOfWeek(page).nth(1).waitFor();
    const gone = Promise.withResolvers<void>();
    await page.route("**/api/patterns/*", async (route) => {
      if (route.request().method() !== "DELETE") return route.continue();
      const response = await route.fetch();
      if (response.ok()) await gone.promise;
      return route.fulfill({ response });
    });
    await hoursOfWeek(page).nth(0).getByRole("button").press("Enter");
    await endHours(page);
    // The stream of events told of it.
    await hoursOfWeek(page).nth(1).waitFor({ state: "detached" });
    await page.locator("ul.windows > li button:focus").waitFor();
    gone.resolve();
    await page.locator(".toast").waitFor();
    await page.locator("ul.windows > li button:focus").waitFor();
  });

  it("goes from a dialog to what opened it, and nowhere in between", async () => {
    const page = await world().open(await sharer(), "/spots");
    await hoursOfWeek(page).nth(0).getByRole("button").press("Enter");
    const closed = Promise.withResolvers<void>();
    await page.route("**/api/patterns?*", async (route) => {
      await closed.promise;
      await route.continue();
    });
    await page.evaluate(`{
      window.focused = [];
      addEventListener("focusin", ({ target }) => focused.push(target.closest("li, dialog, h1").nodeName));
    }`);
    await endHours(page);
    // An entry that goes in between would take the way back with it.
    await page.locator("ul.windows > li:nth-child(1) button:focus").waitFor();
    closed.resolve();
    await hoursOfWeek(page).nth(1).waitFor({ state: "detached" });
    await page.locator("ul.windows > li button:focus").waitFor();
    expect(await page.evaluate("focused")).toEqual(["DIALOG", "LI", "LI"]);
  });

  it("goes to another bar of the row once one of the board is gone", async () => {
    const owner = await world().person("Owner");
    const { spot, window } = await offerOf(owner, hours(1), hours(3));
    await windowOf(owner, spot, hours(4), hours(6));
    const page = await openLive(world(), await world().person("Looker"), "/board?days=7");
    const row = page.locator(`[data-row="${spot.id}"]`);
    await row.locator(".slot.free").first().focus();
    await claimOf(await world().person("Faster"), window);
    await row.locator("span.slot.taken").waitFor();
    await row.locator("button.slot.free:focus").waitFor();
  });

  it("stays at a large claim whose button goes", async () => {
    const claimer = await world().person("Claimer");
    await claimFor(world(), claimer);
    const page = await world().open(claimer, "/claims");
    await page.getByRole("button", { name: "Cancel claim" }).press("Enter");
    await page.locator(".hero button:focus", { hasText: "Undo" }).waitFor();
  });

  it("does not scroll when a tapped entry goes", async () => {
    const owner = await world().person("Owner");
    for (let count = 0; count < 8; count++) await registerSpot(owner);
    const page = await world().open(owner, "/", lowPhone);
    const share = page.getByRole("button", { name: "Share tomorrow" });
    await share.nth(7).click();
    await share.nth(7).waitFor({ state: "detached" });
    const before = await page.evaluate("scrollY");
    expect(before).toBeGreaterThan(0);
    await page.locator(".toast").getByRole("button", { name: "Close" }).click();
    await heading(page).waitFor();
    expect(await page.evaluate("scrollY")).toBe(before);
  });

  it.each([1, 8])(
    "has nothing of what was pressed under what says so, with %s spots",
    async (count) => {
      const owner = await world().person("Owner");
      for (let made = 0; made < count; made++) await registerSpot(owner);
      const page = await world().open(owner, "/", lowPhone);
      const card = page.locator(".own-card").last();
      await card.waitFor();
      // As low as it is seen.
      await card.evaluate("it => scrollBy(0, it.getBoundingClientRect().bottom - 350)");
      await card.getByRole("button", { name: "Share tomorrow" }).click();
      const toast = page.locator(".toast");
      await toast.waitFor();
      const [shared, message] = [await card.boundingBox(), await toast.boundingBox()];
      expect((shared?.y ?? 0) + (shared?.height ?? 420)).toBeLessThanOrEqual(message?.y ?? 0);
    },
  );

  it("goes to the first of those that are shown once more are asked for", async () => {
    const owner = await world().person("Owner");
    for (let count = 0; count < 8; count++) await offerOf(owner);
    const free = `/?start=${hours(20)}&end=${hours(26)}`;
    const page = await world().open(await world().person("Seeker"), free, lowPhone);
    const more = page.getByRole("button", { name: /^Show \d+ more$/ });
    await more.first().press("Enter");
    await page.locator(".free-row:nth-child(7) button:focus").waitFor();
  });

  it("stays where it is while what was asked for takes a while, and is asked for once", async () => {
    const page = await world().open(await world().person("Subscriber"), "/profile");
    const asked: (() => void)[] = [];
    await page.route("**/api/calendar-feed", async (route) => {
      if (route.request().method() === "POST")
        await new Promise<void>((resolve) => asked.push(resolve));
      await route.continue();
    });
    await page.getByRole("button", { name: "Subscribe" }).press("Enter");
    await page.locator("button[aria-disabled=true]:focus").waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await until("it is asked", () => asked.length > 0);
    asked[0]?.();
    await page.getByRole("button", { name: "Create a new address" }).waitFor();
    await page.locator("button:not([aria-disabled=true]):focus").waitFor();
    if (asked.length !== 1) throw new Error(`asked ${asked.length} times`);
  });
});
