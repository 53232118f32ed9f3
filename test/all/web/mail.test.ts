import { expect, it } from "@jest/globals";
import { claimOf, offerOf } from "./offer.ts";
import { describeInBrowser, expectAccessible, type Resident, tabTo } from "./open-page.ts";

const onPhoneInGerman = {
  locale: "de-DE",
  viewport: { width: 320, height: 640 },
  colorScheme: "dark",
} as const;

interface Preferences {
  readonly mail: readonly string[] | null;
  readonly language: string | null;
  readonly remind_minutes: number | null;
}

const preferencesOf = async (person: Resident): Promise<Preferences> =>
  (await person.ask<{ preferences: Preferences }>("GET", "/profile/preferences")).body.preferences;

describeInBrowser("the choice of mails in the profile", (world) => {
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
    await expectAccessible(page);
  });

  it("says what is refused, and keeps what was typed", async () => {
    const page = await world().open(await world().person("Typing"), "/profile");
    const form = page.getByRole("form", { name: "Email" });
    const days = form.getByRole("spinbutton", { name: /^How long before a claim begins/ });
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

describeInBrowser("the inbox", (world) => {
  it("says in the language of the page what happened, with its times", async () => {
    const owner = await world().person("Besitzerin");
    const { spot, window } = await offerOf(owner);
    const claimer = await world().person("Gast");
    await claimOf(claimer, window);
    const page = await world().open(owner, "/inbox", onPhoneInGerman);
    await page.getByText(` hat Ihren Stellplatz ${spot.spot_number} reserviert: `).waitFor();
    await expectAccessible(page);
  });

  it("leads a claimer to their claim, and the owner to the spot", async () => {
    const owner = await world().person("Owner");
    const { spot, window } = await offerOf(owner);
    const { start_time } = window;
    const claimer = await world().person("Claimer");
    const { id } = await claimOf(claimer, window);
    const cancellation = { status: "cancelled", reason: "The lift is broken" };
    await world().administrator().ask("PUT", `/admin/claims/${id}`, cancellation);

    for (const [person, path] of [
      [claimer, `/claims?claim=${id}`],
      [owner, `/spots?spot=${spot.id}&week=${start_time.slice(0, 10)}`],
    ] as const) {
      const page = await world().open(person, "/inbox");
      const line = page.getByRole("listitem").filter({ hasText: "The lift is broken" });
      expect(await line.getByRole("link").getAttribute("href")).toBe(path);
    }
  });
});
