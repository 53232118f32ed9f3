import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { hours } from "../../support/building.ts";
import { answerInstead } from "./network.ts";
import { at, claimsOf, offerOf, registerSpot, windowsOf } from "./offer.ts";
import { describeInBrowser, lookAgainAt, openForLong, openLive } from "./open-page.ts";
import { freeRow, timeField } from "./steps.ts";

const MINUTE = 60_000;

/** The working hours of the day after the one of `hours(24)`. */
const ofTomorrow = { start_time: at(2, "08:00"), end_time: at(2, "18:00") };

describeInBrowser("the page, as time passes", (world) => {
  it("claims for the tomorrow of the day on which a device is taken up again", async () => {
    const { spot } = await offerOf(await world().person("Owner"), hours(1), hours(84));
    const claimer = await world().person("Early riser");
    const page = await openForLong(world(), claimer, "/?when=tomorrow");
    await freeRow(page, spot.spot_number);
    await lookAgainAt(page, hours(24));
    const row = await freeRow(page, spot.spot_number);
    await row.getByRole("button", { name: `Claim ${spot.spot_number}` }).click();
    await row.getByText("is yours").waitFor();

    expect(await claimsOf(claimer)).toMatchObject([ofTomorrow]);
  });

  it("shares for the tomorrow of the day on which it is tapped", async () => {
    const owner = await world().person("Sharer");
    await registerSpot(owner);
    const page = await openForLong(world(), owner);
    const share = page.getByRole("button", { name: "Share tomorrow" });
    await share.waitFor();
    // Nothing tells the page that time has passed.
    await page.clock.setFixedTime(hours(24));
    await share.click();
    await page.getByRole("status").getByRole("button", { name: "Undo" }).waitFor();

    expect(await windowsOf(owner)).toMatchObject([ofTomorrow]);
  });

  it("keeps what is free and what was claimed where the next hour cannot be read", async () => {
    const owner = await world().person("Olaf Owner");
    const [claimed, free] = [
      await offerOf(owner, hours(1), hours(9)),
      await offerOf(owner, hours(1), hours(9)),
    ];
    const claimer = await world().person("Driver");
    const page = await openForLong(world(), claimer);
    const nearlyThree = Date.parse(hours(3)) - 9 * MINUTE;
    await lookAgainAt(page, nearlyThree);
    const row = await freeRow(page, claimed.spot.spot_number);
    await row.getByRole("button", { name: `Claim ${claimed.spot.spot_number}` }).click();
    await row.getByText("Olaf Owner").waitFor();
    await answerInstead(page, (route) => route.abort("internetdisconnected"));
    const asked = page.waitForEvent("requestfailed", (it) => it.url().includes("/board"));
    await lookAgainAt(page, nearlyThree + 4 * MINUTE);
    await asked;
    await page.getByText("You are offline").waitFor();

    expect(await row.getByText("Olaf Owner").count()).toBe(1);
    expect(await (await freeRow(page, free.spot.spot_number)).count()).toBe(1);
    expect(await page.getByRole("alert").count()).toBe(0);
    await world().complained("ERR_INTERNET_DISCONNECTED");
  });

  it("reloads the list of parked cars each minute, for no event says that a claim begins", async () => {
    const page = await openLive(world(), world().administrator(), "/garage?gate=yes");
    await page.locator("main .entries, main .empty").first().waitFor();
    const nextMinute = Math.ceil(Date.now() / MINUTE) * MINUTE;
    const read = page.waitForResponse("**/api/admin/parked");
    await lookAgainAt(page, nextMinute);
    await read;
  });

  it("keeps a form over midnight, with what is typed into it", async () => {
    const owner = await world().person("Night owl");
    const spot = await registerSpot(owner);
    const page = await openForLong(world(), owner, `/spots?share=${spot.id}`);
    const until = timeField(page.getByRole("dialog"), "Until");
    await until.fill("17:17");
    const read = page.waitForResponse(/\/api\/availabilities\?/);
    await lookAgainAt(page, hours(24));
    await read;
    await page.locator(".loading").first().waitFor({ state: "detached" });

    expect(await until.inputValue()).toBe("17:17");
  });

  it("asks for what somebody waits for with the chosen section, as the present moves on", async () => {
    const owner = await world().person("Owner");
    for (const section of ["East", "West"]) await registerSpot(owner, section);
    const page = await openForLong(world(), await world().person("Patient"));
    await page.route("**/api/board?*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), availabilities: [] } });
    });
    await page.reload();
    const where = page.getByLabel("Where");
    await where.selectOption("West");
    const before = await page.locator(".park .near").innerText();
    await lookAgainAt(page, Date.now() + 6 * MINUTE);
    await page.locator(".park .near", { hasNotText: before }).waitFor();
    expect(await where.inputValue()).toBe("West");
  });

  /** The clock of a device that is so many minutes ahead. */
  const clockAhead = (minutes: number) => `{
    const Right = Date;
    globalThis.serviceNow = () => Right.now();
    const now = () => Right.now() + ${minutes * MINUTE};
    Date = class extends Right {
      constructor(...given) { if (given.length > 0) super(...given); else super(now()); }
      static now() { return now(); }
    };
  }`;

  it.each([-7, 7, 90])(
    "claims with one tap where the clock of a device is %s minutes ahead",
    async (minutes) => {
      const soon = new Date(Date.now() + MINUTE / 2).toISOString();
      const { spot } = await offerOf(await world().person("Owner"), soon, hours(9));
      const claimer = await world().person("Out of time");
      const prepare = (it: Page) => it.addInitScript(clockAhead(minutes));
      const page = await world().open(claimer, "/", { prepare });
      const row = await freeRow(page, spot.spot_number);
      const before = Date.now();
      await row.getByRole("button", { name: "Claim" }).click();
      await row.getByText("is yours").waitFor();

      const [claim] = await claimsOf(claimer);
      const wait = Date.parse(claim?.start_time ?? "") - before;
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThan(7 * MINUTE);
      // It begins as the service says, and not as the device does.
      await page.goto(`${world().origin}/claims`);
      await page.getByText(/^in [1-6] min/).waitFor();
      await claimer.ask("DELETE", `/claims/${claim?.id}`);
    },
  );
});
