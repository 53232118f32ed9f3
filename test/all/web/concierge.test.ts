import { expect, it } from "@jest/globals";
import { hours } from "../../support/building.ts";
import { offerOf, runningClaim } from "./offer.ts";
import { describeInBrowser, expectAccessible, type Resident } from "./open-page.ts";

const TABLETS = [
  { width: 1024, height: 768 },
  { width: 768, height: 1024 },
];

describeInBrowser("the desk of a concierge", (world) => {
  async function concierge(name: string): Promise<Resident> {
    const person = await world().person(name);
    const path = `/admin/profiles/${person.id}`;
    await world().administrator().ask("PUT", path, { is_concierge: true });
    return person;
  }

  it("finds who stands there by plate, guest and apartment, guests first", async () => {
    const [owner, host] = [await world().person("Owner"), await world().person("Host")];
    await host.ask("PUT", "/profile", { phone_number: "030 123" });
    const { claim, spot } = await runningClaim(owner, host);
    await host.ask("PUT", `/claims/${claim.id}`, { guest: "Eve Guest", vehicle: "M-EV 77" });
    await runningClaim(owner, await world().person("Neighbour"));
    for (const viewport of TABLETS) {
      const page = await world().open(await concierge("Desk"), "/garage", { viewport });
      const rows = page.locator(".desk .entries").first().locator("li");
      const guest = rows.filter({ hasText: "Eve Guest, visiting Host" });
      expect(await guest.getByRole("link").getAttribute("href")).toBe("tel:030123");
      expect(await rows.first().innerText()).toContain(", visiting ");
      await expectAccessible(page);
      for (const search of ["ev77", "eve", "host"]) {
        await page.getByRole("searchbox").fill(search);
        await page.getByText("1 shown").waitFor();
        await rows.filter({ hasText: spot.spot_number }).waitFor();
      }
    }
  });

  it("lets a visitor stand, as the claim of a resident, and takes that back", async () => {
    const owner = await world().person("Owner");
    const host = await world().person("Hilda Host");
    const soon = new Date(Date.now() + 2_000).toISOString();
    const { spot } = await offerOf(owner, soon, hours(20));
    const page = await world().open(await concierge("Desk"), "/garage");
    await page.getByRole("button", { name: `Let them park here: ${spot.spot_number}` }).click();
    await expectAccessible(page);
    const submit = page.getByRole("button", { name: "Let them park here", exact: true });
    await page.getByLabel("Visiting").fill("hilda");
    await page.getByRole("radio", { name: /^Hilda Host/, checked: true }).waitFor();
    await page.getByLabel("Visiting").fill("hild"); // perhaps it becomes another name
    await submit.and(page.locator(":disabled")).waitFor();
    await page.getByRole("radio", { name: /^Hilda Host/, checked: true }).waitFor();
    await page.getByLabel("Guest (optional)").fill("Eve");
    await submit.click();
    await page.getByText(/is claimed until .* for Hilda Host/).waitFor();

    const claims = async () =>
      (await host.ask<{ claims: { status: string; guest?: string }[] }>("GET", "/claims")).body
        .claims;
    expect(await claims()).toMatchObject([{ status: "active", guest: "Eve" }]);
    await page.getByRole("button", { name: /^Undo/ }).click();
    await page.getByRole("button", { name: `Let them park here: ${spot.spot_number}` }).waitFor();
    expect(await claims()).toMatchObject([{ status: "cancelled" }]);
  });

  it("has the reports of strangers, and nothing else of administrators", async () => {
    const owner = await world().person("Owner");
    const { spot } = await offerOf(owner);
    await owner.ask("POST", "/spot-reports", { spot_id: spot.id, vehicle: "X-Y 1" });
    const page = await world().open(await concierge("Desk"), "/garage");
    await page.getByRole("button", { name: `Done: ${spot.spot_number}` }).click();
    await page.getByText(`The report on ${spot.spot_number} has been dealt with.`).waitFor();
    await page.getByRole("button", { name: "Account and more" }).click();
    const menu = page.getByRole("navigation", { name: "Administration" });
    expect(await menu.getByRole("link").allInnerTexts()).toEqual(["Garage"]);
  });

  it("is opened to somebody by an administrator", async () => {
    const { id } = await world().person("Desk to be");
    const page = await world().open(world().administrator(), `/accounts?account=${id}`);
    await page.getByLabel(/^Concierge:/).check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The rights of Desk to be are saved.").waitFor();
    const path = `/admin/profiles/${id}`;
    const { body } = await world().administrator().ask<{ profile: object }>("GET", path);
    expect(body.profile).toMatchObject({ is_concierge: true, is_admin: false, is_approved: true });
  });
});
