import { expect, it } from "@jest/globals";
import { describeInBrowser, expectAccessible, type Resident } from "./open-page.ts";

describeInBrowser("a person who cannot use the building", (world) => {
  const suspend = (person: Resident) =>
    world().administrator().ask("PUT", `/admin/profiles/${person.id}`, { is_approved: false });

  it("reads that the approval was taken back, also in a page that is open", async () => {
    const person = await world().person("Former Resident");
    const page = await world().open(person, "/claims");
    await page.getByRole("heading", { level: 1, name: "Your claims" }).waitFor();
    await suspend(person);

    await page.getByRole("heading", { name: "Your account is no longer approved" }).waitFor();
    await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
    expect(await page.getByText(/waiting for approval/).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Spots" }).count()).toBe(0);
    await expectAccessible(page);

    await page.reload();
    await page.getByRole("heading", { name: "Your account is no longer approved" }).waitFor();
    // None where it heard of it before it asked for anything.
    await world().complained("403", 0);
  });

  it("reads that the account is closed, without an address that nobody has", async () => {
    const person = await world().person("Erased Resident");
    await world().administrator().ask("DELETE", `/admin/profiles/${person.id}?reason=Moved%20out`);
    const page = await world().open(person, "/", { locale: "de-DE" });

    await page.getByRole("heading", { name: "Dieses Konto ist geschlossen" }).waitFor();
    await page.getByRole("button", { name: "Konto und mehr" }).click();
    await page.getByRole("button", { name: "Abmelden" }).waitFor();
    expect(await page.locator("body").innerText()).not.toMatch(/erased|Freigabe|Speichern/);
    await expectAccessible(page);
  });

  it("reads that the account was not approved, and why", async () => {
    const person = await world().person("Unknown Resident", "waiting");
    const reason = "Nobody of this name lives in 2B";
    await world()
      .administrator()
      .ask("PUT", `/admin/profiles/${person.id}`, { rejection_reason: reason });
    const page = await world().open(person);

    await page.getByRole("heading", { name: "Your account was not approved" }).waitFor();
    await page.getByText(`Reason: ${reason}`).waitFor();
    await expectAccessible(page);
  });
});
