import { expect, it } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { hours } from "../../support/building.ts";
import { claimOf, offerOf, registerSpot, windowOf, windowsOf } from "./offer.ts";
import { describeInBrowser, expectAccessible, openForLong } from "./open-page.ts";

const startOfRun = Date.now();

/** At this time of a day, which is so many days from today, also in the last hour of today. */
const at = (days: number, time: string): string =>
  `${new Date(startOfRun + days * 86_400_000).toISOString().slice(0, 10)}T${time}:00.000Z`;

const sharedBar = (page: Page): Locator => page.getByRole("button", { name: /^Shared / }).first();

async function fillMoment(dialog: Locator, name: string, at: string): Promise<void> {
  const field = dialog.getByRole("group", { name });
  await field.getByLabel("Date").fill(at.slice(0, 10));
  await field.getByLabel("Time").fill(at.slice(11, 16));
}

/** From when until when, as it is typed. */
async function fillSpan(dialog: Locator, from: string, until: string): Promise<void> {
  await fillMoment(dialog, "From", from);
  await fillMoment(dialog, "Until", until);
}

describeInBrowser("the screens of an owner", (world) => {
  it("changes the end of a running window, and keeps its rest, to the minute", async () => {
    const owner = await world().person("Minute owner");
    const [start_time, begun] = [hours(1), hours(-3).replace(":00:00.000Z", ":07:12.000Z")];
    await offerOf(owner, start_time, hours(5));
    const page = await world().open(owner, "/profile");
    // The page shows it as a window that has begun.
    await page.route("**/api/availabilities**", async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        body: (await response.text()).replaceAll(start_time, begun),
      });
    });
    const now = new Date(Math.floor(Date.now() / 300_000) * 300_000 + 120_000);
    await page.clock.setFixedTime(now);
    await page.getByRole("link", { name: "Spots" }).click();
    const dialog = page.getByRole("dialog");
    const shared = page.getByRole("button", { name: /^Shared / }).last();
    await shared.click();
    const end_time = hours(4).replace(":00:00", ":31:00");
    await fillMoment(dialog, "Until", end_time);
    expect(await dialog.getByRole("group", { name: "From" }).count()).toBe(0);
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await windowsOf(owner)).toMatchObject([{ start_time, end_time }]);

    await shared.click();
    await dialog.getByRole("button", { name: "I need it" }).click();
    const keeping = page.getByRole("dialog", { name: "I need it" });
    // What is proposed ends with the day, which may be over in a moment.
    await fillMoment(keeping, "Until", end_time);
    await keeping.getByRole("button", { name: "Keep it for me" }).click();
    await keeping.waitFor({ state: "detached" });
    const { body } = await owner.ask<{ exceptions: object[] }>("GET", "/exceptions");
    expect(body.exceptions).toMatchObject([{ start_time: now.toISOString() }]);
  });

  it("registers a spot, corrects it, and removes it", async () => {
    const owner = await world().person("Registrar");
    const page = await world().open(owner, "/spots");
    await page.getByText("You have no parking spot here yet").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Register a spot" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Spot number").fill("<i>R</i>-1");
    await dialog.getByLabel("Section").fill("North & South");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Register a spot" }).click();

    await page.getByRole("heading", { name: "<i>R</i>-1" }).waitFor();
    const edit = async () => {
      await page.getByRole("button", { name: /^More for / }).click();
      await page.getByRole("button", { name: "Edit" }).click();
    };
    await edit();
    await dialog.getByLabel("For everybody").fill("Beside the ramp");
    await dialog.getByLabel("For claimers only").fill("Code 4711");
    await expectAccessible(page);
    await dialog.getByLabel("Spot number").fill("R-1");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "R-1", exact: true }).waitFor();

    await page.getByText("Beside the ramp").waitFor();
    await edit();
    expect(await dialog.getByLabel("For everybody").inputValue()).toBe("Beside the ramp");
    expect(await dialog.getByLabel("For claimers only").inputValue()).toBe("Code 4711");
    await dialog.getByLabel("For claimers only").fill("");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await edit();
    expect(await dialog.getByLabel("For claimers only").inputValue()).toBe("");
    await dialog.getByText("Remove this spot").click();
    await dialog.getByRole("button", { name: "Remove for good" }).click();
    await page.getByText("You have no parking spot here yet").waitFor();
  });

  it("opens with the access notes that were saved, not with those of before", async () => {
    const owner = await world().person("Hasty");
    const { spot_number } = await registerSpot(owner);
    const page = await world().open(owner, "/spots");
    const dialog = page.getByRole("dialog");
    const notes = dialog.getByLabel("For claimers only");
    const edit = async () => {
      await page.getByRole("button", { name: `More for ${spot_number}` }).click();
      await page.getByRole("button", { name: "Edit" }).click();
    };
    await edit();
    await notes.fill("Code 4711");
    const released = Promise.withResolvers<void>();
    await page.route("**/access", async (route) => {
      if (route.request().method() === "GET") await released.promise;
      await route.continue();
    });
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await edit();
    await dialog.getByLabel("For everybody").waitFor();
    expect(await notes.count()).toBe(0);

    released.resolve();
    await notes.waitFor();
    expect(await notes.inputValue()).toBe("Code 4711");
  });

  it("shares a spot every week, sees what collides, changes the hours, and ends them", async () => {
    const owner = await world().person("Sharer");
    const spot = await registerSpot(owner);
    const page = await world().open(owner, `/spots?share=${spot.id}`);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Every week", exact: true }).click();
    for (const day of ["Mon", "Tue", "Wed", "Thu"]) {
      await dialog.getByRole("checkbox", { name: day }).uncheck();
    }
    // Three or four, by the day on which this runs.
    const status = dialog.getByRole("status").filter({ hasText: /^[34] times in the next weeks/ });
    await status.waitFor();
    const count = Number.parseInt(await status.innerText(), 10);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Share every week" }).click();
    await page.getByText("Your spot is shared every week.").waitFor();
    expect(await windowsOf(owner)).toHaveLength(count);

    await page.getByRole("button", { name: "Share", exact: true }).click();
    await dialog.getByRole("button", { name: "Every week", exact: true }).click();
    await dialog.getByText("Already shared").first().waitFor();
    expect(await dialog.getByText("Already shared").count()).toBe(count);
    await dialog.getByRole("button", { name: "Cancel" }).click();

    await page.getByRole("button", { name: /^Change Fri · 08:00 – 18:00 · from / }).click();
    await dialog.getByLabel("Until").fill("20:00");
    await dialog.getByText(/times? in the next weeks/).waitFor();
    // Its own windows are made anew, so they are in the way of nothing.
    expect(await dialog.getByText("Already shared").count()).toBe(0);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The times are changed.").waitFor();
    for (const { end_time } of await windowsOf(owner)) expect(end_time).toMatch(/T20:00/);

    await page.getByRole("button", { name: /^Change Fri · 08:00 – 20:00/ }).click();
    await dialog.getByRole("button", { name: "Stop sharing every week" }).click();
    await page.getByText("Your spot is no longer shared every week.").waitFor();
    expect(await windowsOf(owner)).toEqual([]);
  });

  it("asks what weekly hours would share once they have a day, until a year that is far away", async () => {
    const owner = await world().person("Generous");
    const spot = await registerSpot(owner);
    const page = await world().open(owner, `/spots?share=${spot.id}`);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Every week" }).click();
    await dialog.getByText(/times in the next weeks/).waitFor();
    for (const day of await dialog.getByRole("checkbox").all()) await day.uncheck();
    await dialog.getByLabel("Last day").fill("2999-12-31");

    await dialog.getByText("Choose at least one day of the week.").waitFor();
    expect(await dialog.getByRole("button", { name: "Share every week" }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await dialog.getByRole("checkbox", { name: "Mon" }).check();
    // Four weeks have four Mondays, of which the first may be today.
    await dialog.getByText(/^[345] times in the next weeks/).waitFor();
  });

  it("undoes an exception once, also by its toast and its line", async () => {
    const owner = await world().person("Doubter");
    const spot = await registerSpot(owner);
    const page = await world().open(owner, `/spots?keep=${spot.id}`);
    await page.getByRole("dialog").getByRole("button", { name: "Keep it for me" }).click();
    await page.getByRole("button", { name: /^Undo: You need / }).waitFor();
    const asked: string[] = [];
    await page.route("**/api/exceptions/*", (route) => {
      asked.push(route.request().method());
      return route.continue();
    });
    await page.evaluate(`{
      for (const name of [".toast button:not(.plain)", ".cards .small-action"])
        document.querySelector(name).click();
    }`);
    await page.getByText("Undone, except").waitFor();
    await page.locator(".cards > li").waitFor({ state: "detached" });
    expect(asked).toEqual(["DELETE"]);
  });

  it("says why an exception cannot be undone, also after its form is closed", async () => {
    const owner = await world().person("Undone");
    const spot = await registerSpot(owner);
    const page = await world().open(owner, `/spots?keep=${spot.id}`);
    await page.getByRole("dialog").getByRole("button", { name: "Keep it for me" }).click();
    await page.getByText("What was free is withdrawn.").waitFor();
    const { body } = await owner.ask<{ exceptions: { id: string }[] }>("GET", "/exceptions");
    await owner.ask("DELETE", `/exceptions/${body.exceptions[0]?.id}`);
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await page.getByText("This no longer exists.").waitFor();
    await world().complained("404");
  });

  it("changes a window, withdraws it, and undoes that", async () => {
    const owner = await world().person("Withdrawer");
    await offerOf(owner);
    const page = await world().open(owner, "/spots");
    const dialog = page.getByRole("dialog");
    await sharedBar(page).click();
    await fillMoment(dialog, "Until", hours(30));
    await expectAccessible(page);
    // The windows are read again so late that what is shown is what was before.
    const isWithdrawn = Promise.withResolvers<void>();
    await page.route("**/api/availabilities?*", async (route) => {
      await isWithdrawn.promise;
      await route.continue();
    });
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The times are changed.").waitFor();
    expect(await windowsOf(owner)).toMatchObject([{ end_time: hours(30) }]);

    await sharedBar(page).click();
    await dialog.getByRole("button", { name: "Withdraw" }).click();
    const undo = page.getByRole("button", { name: "Undo" });
    await undo.waitFor();
    isWithdrawn.resolve();
    await page.getByText("You are not sharing it at the moment.").waitFor();
    expect(await windowsOf(owner)).toEqual([]);

    await undo.click();
    await sharedBar(page).waitFor();
    expect(await windowsOf(owner)).toMatchObject([{ start_time: hours(20), end_time: hours(30) }]);
  });

  it("keeps a time: what is free is withdrawn, and the claimer of the rest is shown", async () => {
    const owner = await world().person("Needy");
    const { spot, window } = await offerOf(owner);
    await windowOf(owner, spot, hours(30), hours(32));
    const claimer = await world().person("Claimer");
    await claimOf(claimer, { ...window, start_time: hours(21), end_time: hours(22) });

    const page = await world().open(owner, `/spots?keep=${spot.id}&week=${hours(20).slice(0, 10)}`);
    const dialog = page.getByRole("dialog", { name: "I need it" });
    await fillSpan(dialog, hours(10), hours(40));
    expect(await dialog.getByText("Claimed, stays").count()).toBe(1);
    expect(await dialog.getByText("Is withdrawn", { exact: true }).count()).toBe(1);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Keep it for me" }).click();
    await dialog.getByText("1 claim stays.").waitFor();
    await dialog.getByRole("button", { name: "Who claimed it?" }).click();
    await dialog.getByText("Claimer").waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Close", exact: true }).last().click();

    // The owner alone sees what is not on offer.
    expect(await windowsOf(owner)).toMatchObject([{ id: window.id }, { free: [] }]);
    await page.getByText(`You need ${spot.spot_number}`).waitFor();
    await page
      .getByRole("button", { name: /^Not shared / })
      .first()
      .waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: /^Undo: You need / }).click();
    await page.getByText("Undone, except").waitFor();
    const [, given] = await windowsOf(owner);
    expect(given).not.toHaveProperty("free");
  });

  it("keeps a part of what is shared, and the rest stays free", async () => {
    const owner = await world().person("Keeper");
    const [start, end] = [at(3, "06:00"), at(4, "20:00")];
    const { window } = await offerOf(owner, start, end);
    const page = await world().open(owner, `/spots?week=${start.slice(0, 10)}`);
    const dialog = page.getByRole("dialog");
    await sharedBar(page).click();
    await dialog.getByRole("button", { name: "I need it" }).click();
    const keeping = page.getByRole("dialog", { name: "I need it" });
    const from = keeping.getByRole("group", { name: "From" });
    expect(await from.getByLabel("Date").inputValue()).toBe(start.slice(0, 10));
    await fillSpan(keeping, at(3, "10:00"), at(3, "12:00"));
    expect(await keeping.getByRole("listitem").count()).toBe(1);
    await expectAccessible(page);
    await keeping.getByRole("button", { name: "Keep it for me" }).click();
    await page.getByText("What was free is withdrawn.").waitFor();

    const free = [
      { start_time: start, end_time: at(3, "10:00") },
      { start_time: at(3, "12:00"), end_time: end },
    ];
    expect(await windowsOf(owner)).toMatchObject([{ id: window.id, start_time: start, free }]);
    for (const name of ["Shared 06:00", "Not shared 10:00", "Shared"])
      await page.getByRole("button", { name }).last().waitFor();
    await expectAccessible(page);
  });

  it("sees what is over of this week, as a picture", async () => {
    const owner = await world().person("Rememberer");
    const spot = await registerSpot(owner);
    await windowOf(owner, spot, at(1, "08:00"), at(1, "10:00"));
    const lent = await windowOf(owner, spot, at(1, "11:00"), at(1, "13:00"));
    await claimOf(await world().person("Claimer"), lent);
    const page = await openForLong(world(), owner, "/spots");
    await page.clock.setFixedTime(at(1, "14:00"));
    await page.reload();
    const week = page.getByRole("group", { name: `When ${spot.spot_number} is shared` });
    await week.getByRole("img", { name: /^Over 08:00/ }).waitFor();
    await week.getByRole("img", { name: /^Lent 11:00/ }).waitFor();
    await page.getByText("You are not sharing it at the moment.").waitFor();
    await expectAccessible(page);
  });

  it("sees who has claimed the spot, and their number where they share it", async () => {
    const owner = await world().person("Lender");
    const { spot, window } = await offerOf(owner);
    const claimer = await world().person("Clara");
    await claimer.ask("PUT", "/profile", {
      phone_number: "+49 30 5550",
      shares_phone_number: true,
    });
    await claimOf(claimer, { ...window, start_time: hours(21), end_time: hours(22) });
    const page = await world().open(owner, `/spots?spot=${spot.id}`, { locale: "de-DE" });
    await page.getByRole("link", { name: "+49 30 5550" }).waitFor();
    await page.getByText(/^Clara, /).waitFor();
    const lent = page.getByRole("button", { name: /^Clara .* Verliehen/ });
    await lent.first().waitFor();
    await expectAccessible(page);
  });

  it("is away, and shares all spots meanwhile", async () => {
    const owner = await world().person("Away");
    await registerSpot(owner);
    const spot = await registerSpot(owner);
    const page = await world().open(owner, `/spots?away=${spot.id}`);
    const dialog = page.getByRole("dialog", { name: "I am away" });
    await dialog.getByRole("button", { name: "All my spots" }).click();
    await fillSpan(dialog, hours(10), hours(40));
    await dialog.getByRole("button", { name: "Share for this time" }).click();
    await page.getByText("You are away: all your spots").waitFor();
    const shared = { start_time: hours(10), end_time: hours(40) };
    expect(await windowsOf(owner)).toMatchObject([shared, shared]);

    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone, except").waitFor();
    expect(await windowsOf(owner)).toEqual([]);
  });

  it("names the next claimer among more claims than one page has", async () => {
    const owner = await world().person("Lender");
    const claimer = await world().person("Claimer");
    const spot = await registerSpot(owner);
    for (let day = 1; day <= 52; day++) {
      const times = { start_time: at(day, "08:00"), end_time: at(day, "09:00") };
      await claimOf(claimer, await windowOf(owner, spot, times.start_time, times.end_time));
    }
    const page = await world().open(owner, "/spots");
    await page.getByRole("heading", { name: "Claimed" }).waitFor();
    await page
      .getByText(/^tomorrow/)
      .first()
      .waitFor();
  });
});
