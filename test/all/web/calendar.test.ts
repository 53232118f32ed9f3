import { readFile } from "node:fs/promises";
import { expect, it } from "@jest/globals";
import { claimOf, offerOf } from "./offer.ts";
import { describeInBrowser, expectAccessible } from "./open-page.ts";

const withClipboard = { permissions: ["clipboard-read", "clipboard-write"] };

describeInBrowser("the calendar in the profile", (world) => {
  /** What a calendar app reads at an address. */
  const read = async (address: string) => {
    const response = await fetch(address.replace(/^webcal:/, "http:"));
    return { status: response.status, text: await response.text() };
  };

  it("is subscribed to, shown once, renewed and ended", async () => {
    const { spot, window } = await offerOf(await world().person("Owner"));
    const person = await world().person("Subscriber");
    await claimOf(person, window);
    const page = await world().open(person, "/profile", withClipboard);
    const address = page.getByLabel("Address for your calendar app");
    await expectAccessible(page);

    await page.getByRole("button", { name: "Subscribe" }).focus();
    await page.keyboard.press("Enter");
    const first = await address.inputValue();
    expect((await read(first)).text).toContain(`SUMMARY:Parking on ${spot.spot_number}`);
    const link = page.getByRole("link", { name: "Open in the calendar app" });
    expect(await link.getAttribute("href")).toBe(first.replace("http:", "webcal:"));
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("The address is copied.").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(first);
    await expectAccessible(page);

    await page.getByRole("link", { name: "Now", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
    await page.goBack();
    await page.getByText("Subscribed on").waitFor();
    expect(await address.count()).toBe(0);

    await page.getByRole("button", { name: "Create a new address" }).click();
    const second = await address.inputValue();
    expect([(await read(first)).status, (await read(second)).status]).toEqual([404, 200]);

    await page.getByRole("button", { name: "End the subscription" }).click();
    await page.getByText("The subscription has ended.").waitFor();
    await page.getByRole("button", { name: "Subscribe" }).waitFor();
    expect((await read(second)).status).toBe(404);
  });

  it("is in the language of the page", async () => {
    const { spot, window } = await offerOf(await world().person("Owner"));
    const person = await world().person("Abonnentin");
    await claimOf(person, window);
    const page = await world().open(person, "/profile", { locale: "de-AT" });
    await page.getByRole("button", { name: "Abonnieren" }).click();
    const address = await page.getByLabel("Adresse für Ihre Kalender-App").inputValue();

    expect((await read(address)).text).toContain(`SUMMARY:Parken auf ${spot.spot_number}`);
  });

  it("is downloaded once", async () => {
    const page = await world().open(await world().person("Downloader"), "/profile");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download once" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("calendar.ics");
    // Without a component it is no calendar: there is no claim in it.
    expect(await readFile(await file.path(), "utf8")).toContain("BEGIN:VTIMEZONE");
  });

  it("is not offered to somebody who waits for approval", async () => {
    const page = await world().open(await world().person("Waiting", "waiting"), "/profile");
    await page.getByText("Your account is waiting for approval").waitFor();
    expect(await page.getByRole("heading", { name: "Your calendar" }).count()).toBe(0);
  });
});
