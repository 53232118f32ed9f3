import { expect, it } from "@jest/globals";
import { registerSpot } from "./offer.ts";
import { describeInBrowser, expectAccessible, type Resident } from "./open-page.ts";

interface Profile {
  readonly is_approved: boolean;
  readonly rejection_reason?: string;
}
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } as const;

describeInBrowser("what waits for an administrator", (world) => {
  const openAsAdministrator = (path: string, options = {}) =>
    world().open(world().administrator(), path, options);
  const profileOf = async ({ id }: Resident) => {
    const path = `/admin/profiles/${id}`;
    return (await world().administrator().ask<{ profile: Profile }>("GET", path)).body.profile;
  };

  it("is counted in the menu, and people are approved with four taps", async () => {
    const page = await openAsAdministrator("/", PHONE);
    const people = [
      await world().person("Tap One", "waiting"),
      await world().person("Tap Two", "waiting"),
      await world().person("Tap Three", "waiting"),
    ];
    const menu = page.getByRole("button", { name: /^Account and more/ });
    await menu.getByText(/^\d+ waiting for you$/).waitFor({ state: "attached" });
    await menu.tap();
    await page.getByRole("link", { name: /^To do/ }).tap();
    await page.getByText("Tap Three").waitFor();
    await expectAccessible(page);
    // The menu says where one is.
    await menu.tap();
    const administration = page.getByRole("navigation", { name: "Administration" });
    await administration.getByText("Administration").waitFor();
    await expectAccessible(page);
    expect(await administration.locator("[aria-current=page]").allInnerTexts()).toEqual([
      expect.stringMatching(/^To do/),
    ]);
    await page.keyboard.press("Escape");
    const accounts = page.locator("section", {
      has: page.getByRole("heading", { name: /^Accounts/ }),
    });
    await accounts.getByLabel(/^Select all/).tap();
    await accounts.getByRole("button", { name: "Approve", exact: true }).first().tap();
    await page.getByText(/accounts are approved/).waitFor();
    for (const person of people) expect((await profileOf(person)).is_approved).toBe(true);
  });

  it("begins with the building, until it has a time zone", async () => {
    await world().setBuilding({ time_zone: "UTC" });
    const page = await openAsAdministrator("/waiting", PHONE);
    await page.getByRole("link", { name: "Building settings" }).last().tap();
    await page.getByLabel("Time zone").selectOption("Europe/Berlin");
    await page.getByRole("button", { name: "Save" }).tap();
    await page.getByText("The building is saved.").waitFor();
    await page.goto(`${world().origin}/waiting`);
    await page.getByRole("heading", { name: "To do", exact: true }).waitFor();
    await page.getByText("Set up the building").waitFor({ state: "detached" });
    await world().setBuilding({ time_zone: "UTC" });
  });

  it("is an account that is rejected with a reason, which the person reads", async () => {
    const person = await world().person("Rita Rejected", "waiting");
    const page = await openAsAdministrator("/waiting");
    await page.getByRole("button", { name: "Reject Rita Rejected" }).click();
    const dialog = page.getByRole("dialog", { name: "Reject Rita Rejected" });
    await expectAccessible(page);
    await dialog.getByLabel("Reason").fill("Nobody of this name lives here");
    await dialog.getByRole("button", { name: "Reject the account" }).click();
    await page.getByText("Rita Rejected is rejected.").waitFor();
    await page.getByRole("button", { name: "Reject Rita Rejected" }).waitFor({ state: "detached" });
    expect((await profileOf(person)).rejection_reason).toBe("Nobody of this name lives here");
  });

  it("is a stranger's car, until it is dealt with", async () => {
    const owner = await world().person("Reporter");
    const spot = await registerSpot(owner);
    const page = await world().open(owner, `/spot/${spot.spot_number}`, PHONE);
    await page.getByRole("button", { name: "Stranger's car" }).tap();
    await page.getByLabel("Number plate of the car (optional)").fill("B-XY 99");
    await page.getByLabel("Note (optional)").fill("A red van");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Report it" }).tap();
    await page.getByText("The administrators know of it.").waitFor();

    const waiting = await openAsAdministrator("/inbox");
    await waiting.getByText("reported a stranger's car (B-XY 99)").first().click();
    await waiting.getByText("A red van").waitFor();
    await expectAccessible(waiting);
    await waiting.getByRole("button", { name: `Done: ${spot.spot_number}` }).click();
    await waiting.getByText(`The report on ${spot.spot_number} has been dealt with.`).waitFor();
    await waiting.getByText("A red van").waitFor({ state: "detached" });
  });
});
