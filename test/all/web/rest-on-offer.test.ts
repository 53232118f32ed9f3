import { expect, it } from "@jest/globals";
import type { Claim, Window } from "../../support/building.ts";
import { hours } from "../../support/building.ts";
import { at, claimOf, claimsOf, offerOf } from "./offer.ts";
import { describeInBrowser, expectAccessible, type Resident } from "./open-page.ts";
import { fillMoment, timeField } from "./steps.ts";

const tomorrow = (hour: number): string => at(1, `${String(hour).padStart(2, "0")}:00`);

/** From hour 21 to 24. */
const claimPart = (claimer: Resident, window: Window): Promise<Claim> =>
  claimOf(claimer, { ...window, start_time: hours(21), end_time: hours(24) });

describeInBrowser("where the rest of a window stays on offer", (world) => {
  it("gives a claim more time, as long as it is free beside it, and says how much", async () => {
    await world().setBuilding({ rest_stays_on_offer: true });
    const { window } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Changer");
    const { id } = await claimPart(claimer, window);
    const page = await world().open(claimer, `/claims?changing=${id}`);
    const dialog = page.getByRole("dialog", { name: "Change your claim" });
    await dialog.getByText(/^Free /).waitFor();
    await expectAccessible(page);
    await fillMoment(dialog, "Until", hours(26));
    await dialog.getByRole("button", { name: "Save" }).click();

    await page.getByText("Your claim is saved.").waitFor();
    const times = { start_time: hours(21), end_time: hours(26) };
    expect(await claimer.read(`/claims/${id}`)).toMatchObject(times);
  });

  /** A window of which another has an hour, and its owner needs the next one. */
  async function partlyTaken() {
    await world().setBuilding({ rest_stays_on_offer: true });
    const owner = await world().person("Owner");
    const { spot, window } = await offerOf(owner, tomorrow(8), tomorrow(18));
    const driver = await world().person("Driver");
    const body = { start_time: tomorrow(10), end_time: tomorrow(11) };
    await claimOf(driver, window, body);
    const needed = { start_time: tomorrow(11), end_time: tomorrow(12) };
    await owner.ask("POST", "/exceptions", { kind: "keep", spot_id: spot.id, ...needed });
    return { owner, driver, spot, window };
  }
  const board = `/board?section=Browser&days=1&date=${tomorrow(8).slice(0, 10)}`;

  it("draws a window whole, with what is taken and kept in it", async () => {
    const { owner, driver, spot, window } = await partlyTaken();
    const times = ["08:00–10:00", "10:00–11:00", "11:00–12:00", "12:00–18:00"];
    for (const [who, words] of [
      [owner, ["Shared", "Lent", "Not shared", "Shared"]],
      [driver, ["Free", "Yours", "Taken", "Free"]],
    ] as const) {
      const page = await world().open(who, board);
      for (const [index, word] of words.entries()) {
        const name = `${spot.spot_number}: ${word} ${times[index]}`;
        await page.locator(`[aria-label^="${name}"]`).waitFor();
      }
      await expectAccessible(page);
      await page.context().close();
    }
    const page = await world().open(owner, `/spots?week=${tomorrow(8).slice(0, 10)}`);
    for (const name of [/^Shared 08:00/, /^Driver 10:00/, /^Not shared 11:00/, /^Shared 12:00/])
      await page.getByRole("button", { name }).waitFor();
    await expectAccessible(page);
    await page.goto(`${world().origin}/spots?change=${window.id}`);
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/^Lent .*10:00/).waitFor();
    for (const text of [/^Shared .*08:00/, /^Not shared .*11:00/, /^Shared .*12:00/])
      await dialog.getByText(text).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "I need it" }).click();
    await page.getByRole("dialog", { name: "I need it" }).waitFor();
  });

  it("says the same of a moment on all screens", async () => {
    await world().setBuilding({ rest_stays_on_offer: true });
    const owner = await world().person("Owner");
    const { spot, window } = await offerOf(owner, hours(1), hours(9));
    const part = { ...window, start_time: hours(2), end_time: hours(3) };
    await claimOf(await world().person("Driver"), part);
    const page = await world().open(owner, "/profile");
    // The page shows it as a claim that has begun.
    await page.route("**/api/**", async (route) => {
      if (route.request().url().endsWith("/events")) return route.continue();
      const response = await route.fetch();
      const text = (await response.text()).replaceAll(hours(1), hours(-3));
      await route.fulfill({ response, body: text.replaceAll(hours(2), hours(-2)) });
    });
    const [from, until] = [hours(-2).slice(11, 16), hours(3).slice(11, 16)];
    await page.goto(`${world().origin}/`);
    await page
      .locator(".own-card .badge")
      .getByText(new RegExp(`^Lent until .*${until}`))
      .waitFor();
    await page
      .getByRole("img", { name: /^Lent / })
      .first()
      .waitFor();
    await page.goto(`${world().origin}/spot/${spot.spot_number}`);
    await page
      .getByRole("heading", { name: new RegExp(`^Your spot. Lent until .*${until}`) })
      .waitFor();
    await page.goto(`${world().origin}/spots`);
    await page
      .getByRole("button", { name: new RegExp(`^Driver .*${from}.*–.*${until}`) })
      .first()
      .waitFor();
    await page.goto(`${world().origin}/board`);
    await page
      .getByRole("button", { name: new RegExp(`${spot.spot_number}: Lent .*${from}.*${until}`) })
      .waitFor();
  });

  it("claims of a window what was chosen, with the id of the window, and nothing that is not free", async () => {
    const { spot, window } = await partlyTaken();
    const claimer = await world().person("Seeker");
    const page = await world().open(claimer, board);
    const bar = page.getByRole("button", { name: `${spot.spot_number}: Free 12:00` });
    await bar.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/^Free .*12:00–18:00/).waitFor();
    const from = timeField(dialog, "From");
    expect(await from.inputValue()).toBe("12:00");
    await from.fill("11:30");
    await dialog.getByText("Not all of this time is free.").waitFor();
    const claimIt = dialog.getByRole("button", { name: "Claim", exact: true });
    expect(await claimIt.isDisabled()).toBe(true);
    await expectAccessible(page);
    await from.fill("12:30");
    await claimIt.click();
    await page.getByText(`${spot.spot_number} is yours`).waitFor();
    // Another part of the same window.
    await page.goto(world().origin + board);
    await page.getByRole("button", { name: `${spot.spot_number}: Free 08:00` }).press("Enter");
    await dialog.getByRole("button", { name: "Claim", exact: true }).click();
    await page.getByText(`${spot.spot_number} is yours`).waitFor();
    expect(await claimsOf(claimer)).toMatchObject([
      { availability_id: window.id, start_time: at(1, "12:30") },
      { availability_id: window.id, start_time: at(1, "08:00") },
    ]);
  });
});
