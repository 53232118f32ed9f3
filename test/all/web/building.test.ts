import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { registerSpot, windowOf } from "./offer.ts";
import { describeInBrowser, expectAccessible } from "./open-page.ts";

/** A length is a number and its unit. */
async function fillLength(page: Page, name: string | RegExp, count: string, unit: string) {
  await page.getByRole("spinbutton", { name }).fill(count);
  await page.getByRole("combobox", { name }).selectOption(unit);
}

describeInBrowser("the settings of the building", (world) => {
  const settings = () =>
    world().administrator().read<Readonly<Record<string, unknown>>>("/building");

  it("changes name, time zone and limits, and takes a limit away", async () => {
    const page = await world().open(world().administrator(), "/building");
    await page.getByLabel("Name").fill("<b>Elm</b> Court");
    await page.getByLabel("Time zone").selectOption("Europe/Lisbon");
    await fillLength(page, "Longest claim", "10", "hours");
    await fillLength(page, /^How long after it was made/, "7", "minutes");
    await page.getByLabel("Most current and future claims per resident").fill("");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save" }).click();

    await page.getByText("The building is saved.").waitFor();
    expect(await settings()).toMatchObject({
      name: "<b>Elm</b> Court",
      time_zone: "Europe/Lisbon",
      longest_claim_minutes: 600,
      grace_minutes: 7,
      most_active_claims: null,
    });
    // At once, also outside the form, and after a reload.
    await page.getByRole("link", { name: "<b>Elm</b> Court" }).waitFor();
    await page.getByText("All times are in Europe/Lisbon").waitFor();
    await page.reload();
    await page.getByText("All times are in Europe/Lisbon").waitFor();
  });

  it("shows times by the service's offsets where the browser does not know the zone", async () => {
    await world().setBuilding({ time_zone: "Asia/Kathmandu" });
    const spot = await registerSpot(world().administrator());
    const [from, until] = ["2031-03-03T02:15:00Z", "2031-03-03T10:15:00Z"];
    await windowOf(world().administrator(), spot, from, until);
    const older = `
      const Known = Intl.DateTimeFormat;
      Intl.DateTimeFormat = function (locale, options) { // as an older browser does
        if (options?.timeZone === "Asia/Kathmandu") throw new RangeError("Invalid time zone");
        return new Known(locale, options);
      };
      Object.setPrototypeOf(Intl.DateTimeFormat, Known);
    `;
    const prepare = (it: Page) => it.addInitScript(older);
    const page = await world().open(world().administrator(), "/spots", { prepare });
    const times = page.getByText(/08:00\s*–\s*16:00/).first();
    await times.waitFor();
  });

  it("gives the building a mark and a colour, and shows at once what they look like", async () => {
    const accent = "document.documentElement.style.getPropertyValue('--accent')";
    const page = await world().open(world().administrator(), "/building");
    // An emoji as some keyboards write it, and one character too many.
    await page.getByLabel("Mark").fill("\u2693\uFE0FXY");
    expect(await page.getByLabel("Mark").inputValue()).toBe("\u2693\uFE0F");
    const own = page.getByLabel("A colour of its own");
    await own.check();
    await page.getByLabel("Colour", { exact: true }).fill("#ffee00");
    await page.waitForFunction(`${accent} !== ""`);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The building is saved.").waitFor();

    expect(await settings()).toMatchObject({ mark: "\u2693\uFE0F", colour: "#ffee00" });
    await page.locator(".head .mark", { hasText: "\u2693\uFE0F" }).waitFor();
    await page.waitForFunction(`${accent} !== ""`);
    await page.reload();
    await own.uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The building is saved.").waitFor();
    expect(await settings()).toMatchObject({ colour: null });
    await page.waitForFunction(`${accent} === ""`);
  });

  it("says lengths in the largest unit that fits, and says its own what is too small", async () => {
    await world().setBuilding({ longest_claim_minutes: 3 * 24 * 60, claim_notice_minutes: 90 });
    const page = await world().open(world().administrator(), "/building");
    const shown = (name: string) =>
      page.getByLabel(name).evaluateAll((fields) => fields.map((it) => "value" in it && it.value));
    await page.getByLabel("Longest claim").first().waitFor();
    expect(await shown("Longest claim")).toEqual(["3", "day"]);
    expect(await shown("How long in advance a claim must be made")).toEqual(["90", "minute"]);
    await expectAccessible(page);

    await fillLength(page, "Longest claim", "0", "hours");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Longest claim: 1 minute or more.").waitFor();
    await fillLength(page, "Longest claim", "1.5", "hours");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The building is saved.").waitFor();
    expect(await settings()).toMatchObject({ longest_claim_minutes: 90 });
    await world().complained("400");
  });

  it("says what people get by mail who did not choose, and for how long things are kept", async () => {
    const page = await world().open(world().administrator(), "/building");
    await page.getByLabel("A claim was finished").check();
    await page.getByLabel("Your claim ends soon").uncheck();
    await page.getByLabel("Language of the emails").selectOption("German");
    await fillLength(page, /^How long before a claim begins and ends/, "45", "minutes");
    await page.getByLabel("History of shared times and claims, in days").fill("365");
    await page.getByLabel("Messages in the inboxes, in days").fill("90");
    await page.getByLabel("Delivery of emails and webhooks, in days").fill("14");
    await expectAccessible(page);
    // Somebody leaves before the building was read again.
    let hasLeft = false;
    await page.route("**/api/building", (route) => hasLeft && route.continue());
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The building is saved.").waitFor();

    const saved = await settings();
    expect(saved).toMatchObject({
      language: "de",
      remind_minutes: 45,
      event_days: 365,
      notification_days: 90,
      job_days: 14,
    });
    expect(saved.mail).toEqual(expect.arrayContaining(["claim.completed", "claim.starts"]));
    expect(saved.mail).not.toContain("claim.ends");
    // At once for those who leave it to the building.
    hasLeft = true;
    await page.goto(`${world().origin}/profile`);
    await page.getByRole("option", { name: "The building's default: German" }).waitFor({
      state: "attached",
    });
  });

  const NAME = "Level 1/2 & more";
  const limitsOfSection = () =>
    world()
      .administrator()
      .read(`/sections/${encodeURIComponent(NAME)}`);

  it("has limits of a section beside the building's, which show where a field is empty", async () => {
    const owner = await world().person("Owner");
    const spot = { spot_number: "L-1", building_section: NAME };
    await owner.ask("POST", "/parking-spots", spot);
    await world().setBuilding({ longest_claim_minutes: 600 });

    const page = await world().open(world().administrator(), "/building");
    await page.getByLabel("Section").selectOption(NAME);
    const form = page.getByRole("form", { name: NAME });
    const longest = form.getByRole("spinbutton", { name: "Longest claim" });
    expect(await longest.getAttribute("placeholder")).toBe("10");
    await longest.fill("4");
    await expectAccessible(page);
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText(`The limits of ${NAME} are saved.`).waitFor();
    await page.getByRole("option", { name: `${NAME} (1 spot, own limits)` }).waitFor({
      state: "attached",
    });
    expect(await limitsOfSection()).toMatchObject({ longest_claim_minutes: 240 });

    await page.reload();
    expect(await longest.inputValue()).toBe("4");
    await longest.fill("");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText(`The limits of ${NAME} are saved.`).waitFor();
    expect(await limitsOfSection()).toMatchObject({ longest_claim_minutes: null });
  });
});
