import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { dayAfter, everyDay } from "../../support/patterns.ts";
import { at, claimsOf, registerSpot } from "./offer.ts";
import { describeInBrowser, expectAccessible, type Resident } from "./open-page.ts";
import { PHONE } from "./steps.ts";

const onPhone = { ...PHONE, hasTouch: true };

describeInBrowser("claims that repeat", (world) => {
  /** A spot that is shared each day of the next weeks, from 8 to 18 o'clock. */
  const sharedSpot = async (section: string) => {
    const owner = await world().person("Sharer");
    const spot = await registerSpot(owner, section);
    const daily = { weekdays: everyDay, first_day: dayAfter(1) };
    const times = { starts_at: "08:00", ends_at: "18:00" };
    await owner.ask("POST", "/patterns", { spot_id: spot.id, ...daily, ...times });
  };
  const weekday = (date: string) =>
    new Date(date).toLocaleDateString("en-GB", { weekday: "short", timeZone: "UTC" });
  const statuses = async (claimer: Resident) =>
    (await claimsOf(claimer)).map(({ status }) => status).toSorted();
  const newSeries = `/claims?series=new&from=${at(1, "09:00")}&until=${at(1, "11:00")}`;
  const series = (page: Page) => page.locator(".claim-series");

  it("are claimed in four taps and three fields, and cancelled from one on", async () => {
    await sharedSpot("Series");
    const claimer = await world().person("Weekly");
    const page = await world().open(claimer, "/", onPhone);
    const [first, last] = [dayAfter(2), dayAfter(23)];

    await page.getByRole("link", { name: "Claims" }).tap();
    await page.getByRole("button", { name: "Claim every week" }).tap();
    const dialog = page.getByRole("dialog", { name: "Claim every week" });
    await dialog.getByLabel(weekday(first)).tap();
    await dialog.getByLabel("From").fill("09:00");
    await dialog.getByLabel("Until").fill("12:00");
    await dialog.getByLabel("Last day").fill(last);
    const preview = dialog.getByRole("list", { name: "What you get" }).getByRole("listitem");
    await dialog.getByText("4 days are free.").waitFor();
    expect(await preview.count()).toBe(4);
    const proposed = await preview.allInnerTexts();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Claim these days" }).tap();

    await dialog.getByText("4 days are claimed for you.").waitFor();
    expect(await preview.allInnerTexts()).toEqual(proposed);
    await expectAccessible(page);
    expect(await statuses(claimer)).toEqual(Array(4).fill("active"));

    await dialog.getByRole("link", { name: "Your claims" }).tap();
    await dialog.waitFor({ state: "detached" });
    // The next claim is large.
    await series(page).getByText("09:00–12:00 · 3 claims until").tap();
    const rows = series(page).locator(".claim-row");
    expect(await rows.count()).toBe(3);
    await expectAccessible(page);
    await rows.nth(1).getByRole("button", { name: "More for" }).tap();
    page.once("dialog", (question) => question.accept());
    await page.getByRole("button", { name: "Cancel this and all later ones" }).tap();
    await page.getByText("2 claims were cancelled.").waitFor();
    expect(await statuses(claimer)).toEqual(["active", "active", "cancelled", "cancelled"]);
  });

  it("are previewed with the days that are left out, and undone at once", async () => {
    await sharedSpot("Undone");
    const claimer = await world().person("Undoer");
    await world().setBuilding({ most_active_claims: 2 });
    const page = await world().open(claimer, newSeries);
    const dialog = page.getByRole("dialog", { name: "Claim every week" });
    await dialog.getByText("2 days are free. ").waitFor();
    await dialog.getByText("as many claims").first().waitFor();
    await dialog.getByRole("button", { name: "Claim these days" }).click();
    await dialog.getByText("2 days are claimed for you.").waitFor();
    await dialog.getByRole("button", { name: "Undo" }).click();
    await page.getByText("None of these days is claimed any more.").waitFor();
    expect(await statuses(claimer)).toEqual(["cancelled", "cancelled"]);
  });

  it("begin from any other time of the search, with its day and hours", async () => {
    const claimer = await world().person("Repeater");
    const [start, end] = [at(2, "09:00"), at(2, "12:00")];
    const page = await world().open(claimer, `/?start=${start}&end=${end}`, onPhone);
    await page.getByRole("button", { name: "Claim every week" }).tap();
    const dialog = page.getByRole("dialog", { name: "Claim every week" });
    expect(await dialog.getByLabel(weekday(start)).isChecked()).toBe(true);
    expect(await dialog.getByLabel("From").inputValue()).toBe("09:00");
    expect(await dialog.getByLabel("Until").inputValue()).toBe("12:00");
    await dialog.getByRole("button", { name: "Cancel" }).tap();
    await page.getByRole("heading", { name: "Free spots" }).waitFor();
    expect(new URL(page.url()).search).toBe(`?start=${start}&end=${end}`);
  });

  it("are for a guest, and only if every day is free where somebody says so", async () => {
    await sharedSpot("Guests");
    const host = await world().person("Host");
    await world().setBuilding({ most_active_claims: 2 });
    const page = await world().open(host, newSeries);
    const dialog = page.getByRole("dialog", { name: "Claim every week" });
    const submit = dialog.getByRole("button", { name: "Claim these days" });
    await dialog.getByText("2 days are free. ").waitFor();
    await dialog.getByLabel("Guest").fill("Ada Lovelace");
    await dialog.getByLabel("Only if every day is free").check();
    await dialog.getByText("so nothing is claimed").waitFor();
    expect(await submit.isDisabled()).toBe(true);
    await expectAccessible(page);

    await dialog.getByLabel("Last day").fill(dayAfter(8));
    await dialog.getByText("2 days are free.", { exact: true }).waitFor();
    await submit.click();
    await dialog.getByText("2 days are claimed for you.").waitFor();
    const ofAda = { guest: "Ada Lovelace" };
    expect(await claimsOf(host)).toMatchObject([ofAda, ofAda]);
  });

  it("say that nothing is free, and cannot be claimed then", async () => {
    const claimer = await world().person("Unlucky");
    const page = await world().open(claimer, "/claims?series=new");
    const dialog = page.getByRole("dialog", { name: "Claim every week" });
    await dialog.getByLabel("Mon").click();
    await dialog.getByLabel("From").fill("03:00");
    await dialog.getByLabel("Until").fill("03:30");
    // Nobody in the demo building shares anything so far ahead.
    await dialog.getByLabel("First day").fill(dayAfter(60));
    await dialog.getByLabel("Last day").fill(dayAfter(67));
    await dialog.getByText("0 days are free.").waitFor();
    await dialog.getByText("Nothing is free").first().waitFor();
    expect(await dialog.getByRole("button", { name: "Claim these days" }).isDisabled()).toBe(true);
  });
});
