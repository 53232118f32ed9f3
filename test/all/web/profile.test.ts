import { readFile } from "node:fs/promises";
import { describe, expect, it } from "@jest/globals";
import { claimFor, offerOf } from "./offer.ts";
import { describeInBrowser, expectAccessible, type Resident, tabTo } from "./open-page.ts";

interface Preferences {
  readonly mail: readonly string[] | null;
  readonly language: string | null;
  readonly remind_minutes: number | null;
}

const preferencesOf = (person: Resident) => person.read<Preferences>("/profile/preferences");

const withClipboard = { permissions: ["clipboard-read", "clipboard-write"] };

describeInBrowser("the profile", (world) => {
  describe("the choice of mails", () => {
    it("is what the building proposes until somebody chooses, by keyboard alone", async () => {
      const person = await world().person("Chooser");
      const page = await world().open(person, "/profile");
      const form = page.getByRole("form", { name: "Email" });
      await form.getByText("Your claim starts soon").waitFor();
      await form.getByRole("option", { name: "The building's default: English" }).waitFor({
        state: "attached",
      });
      await expectAccessible(page);

      await tabTo(page, `input[type="radio"]`);
      await page.keyboard.press("ArrowDown");
      const starts = form.getByLabel("Your claim starts soon");
      expect(await starts.isChecked()).toBe(true);
      expect(await form.getByLabel("People are waiting for approval").count()).toBe(0);
      await tabTo(page, `input[value="claim.starts"]`);
      await page.keyboard.press("Space");
      await form.getByLabel("Language of the emails").selectOption("German");
      await form.getByRole("spinbutton", { name: /^How long before a claim begins/ }).fill("90");
      await form.getByLabel(/: unit$/).selectOption("minutes");
      await expectAccessible(page);
      await page.keyboard.press("Enter");

      await page.getByText("Your email choices are saved.").waitFor();
      const saved = await preferencesOf(person);
      expect(saved).toMatchObject({ language: "de", remind_minutes: 90 });
      expect(saved.mail).toEqual(expect.arrayContaining(["claim.ends", "profiles.waiting"]));
      expect(saved.mail).not.toContain("claim.starts");

      await page.reload();
      expect(await form.getByLabel("What I choose").isChecked()).toBe(true);
      expect(await starts.isChecked()).toBe(false);
      await form.getByLabel("What the building suggests").check();
      await form.getByLabel("Language of the emails").selectOption({ index: 0 });
      await form.getByRole("spinbutton", { name: /^How long before a claim begins/ }).fill("");
      await form.getByRole("button", { name: "Save email choices" }).click();
      await page.getByText("Your email choices are saved.").waitFor();
      expect(await preferencesOf(person)).toMatchObject({
        mail: null,
        language: null,
        remind_minutes: null,
      });
    });

    it("can be nothing, also by choosing no kind, and before approval", async () => {
      const person = await world().person("Quiet", "waiting");
      const page = await world().open(person, "/profile");
      const form = page.getByRole("form", { name: "Email" });
      await form.getByLabel("What I choose").check();
      for (const box of await form.getByRole("checkbox").all()) await box.uncheck();
      await form.getByRole("button", { name: "Save email choices" }).click();
      await page.getByText("Your email choices are saved.").waitFor();

      expect(await form.getByLabel("Nothing").isChecked()).toBe(true);
      expect((await preferencesOf(person)).mail).toEqual([]);
      await page.getByText("Your account is waiting for approval").waitFor();
      expect(await page.getByRole("heading", { name: "Your calendar" }).count()).toBe(0);
      await expectAccessible(page);
    });

    it("says what is refused, and keeps what was typed", async () => {
      const page = await world().open(await world().person("Typing"), "/profile");
      const form = page.getByRole("form", { name: "Email" });
      const days = form.getByRole("spinbutton", { name: /^How long before a claim begins/ });
      await days.waitFor();
      // Without PUSH_CONTACT the page says nothing of devices.
      expect(await page.getByText("Notifications on this device").count()).toBe(0);
      await days.fill("20");
      await form.getByLabel(/: unit$/).selectOption("days");
      await form.getByRole("button", { name: "Save email choices" }).click();
      await form.getByRole("alert").waitFor();
      expect(await form.getByRole("alert").innerText()).toMatch(
        /^How long before .* 7 days at most\.$/,
      );
      expect(await days.getAttribute("aria-invalid")).toBe("true");
      expect(await days.inputValue()).toBe("20");
      await world().complained("400");

      await days.fill("2");
      await form.getByRole("button", { name: "Save email choices" }).click();
      await page.getByText("Your email choices are saved.").waitFor();
    });

    it("offers administrators what is for them", async () => {
      const page = await world().open(world().administrator(), "/profile");
      const form = page.getByRole("form", { name: "Email" });
      await form.getByLabel("What I choose").check();
      await form.getByLabel("People are waiting for approval").waitFor();
      await form.getByLabel("A webhook was turned off").waitFor();
    });
  });

  describe("the calendar", () => {
    /** What a calendar app reads at an address. */
    const read = async (address: string) => {
      const response = await fetch(address.replace(/^webcal:/, "http:"));
      return { status: response.status, text: await response.text() };
    };

    it("is subscribed to, shown once, renewed and ended", async () => {
      const person = await world().person("Subscriber");
      const { spot } = await claimFor(world(), person);
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
      const person = await world().person("Abonnentin");
      const { spot } = await claimFor(world(), person);
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
  });

  it("gives a person all their data as a file", async () => {
    const { spot } = await offerOf(await world().person("Owner of data"));
    const person = await world().person("Data subject");
    const page = await world().open(person, "/profile");
    const file = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download my data" }).click();
    const download = await file;
    expect(download.suggestedFilename()).toBe("parking-data.json");
    const data: unknown = JSON.parse(await readFile(await download.path(), "utf8"));
    expect(data).toMatchObject({ profile: [{ full_name: "Data subject" }] });
    expect(JSON.stringify(data)).not.toContain(spot.id);
    await expectAccessible(page);
  });
});
