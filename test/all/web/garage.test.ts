import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { hours } from "../../support/building.ts";
import { claimOf, claimsOf, messagesOf, offerOf, runningClaim } from "./offer.ts";
import { describeInBrowser, expectAccessible, pressUntil, type Resident } from "./open-page.ts";

const TABLETS = [
  { width: 1024, height: 768 },
  { width: 768, height: 1024 },
];

describeInBrowser("the garage", (world) => {
  async function concierge(name: string): Promise<Resident> {
    const person = await world().person(name);
    const path = `/admin/profiles/${person.id}`;
    await world().administrator().ask("PUT", path, { is_concierge: true });
    return person;
  }

  it("has a desk where a concierge finds who stands there by plate, guest and apartment, guests first", async () => {
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

  it("has a desk that lets a visitor stand, as the claim of a resident, and takes that back", async () => {
    const owner = await world().person("Owner");
    const host = await world().person("Hilda Host");
    const soon = new Date(Date.now() + 2_000).toISOString();
    const { spot } = await offerOf(owner, soon, hours(20));
    const page = await world().open(await concierge("Desk"), "/garage");
    await page.getByRole("button", { name: `Let them park here: ${spot.spot_number}` }).click();
    await expectAccessible(page);
    const submit = page.getByRole("button", { name: "Let them park here", exact: true });
    await page.keyboard.type("hilda"); // nothing else is typed as often
    await page.getByRole("radio", { name: /^Hilda Host/, checked: true }).waitFor();
    await page.getByLabel("Visiting").fill("hild"); // perhaps it becomes another name
    await submit.and(page.locator(":disabled")).waitFor();
    await page.getByRole("radio", { name: /^Hilda Host/, checked: true }).waitFor();
    await page.getByLabel("Guest (optional)").fill("Eve");
    await submit.click();
    await page.getByText(/is claimed until .* for Hilda Host/).waitFor();

    expect(await claimsOf(host)).toMatchObject([{ status: "active", guest: "Eve" }]);
    await page.getByRole("button", { name: /^Undo/ }).click();
    await page.getByRole("button", { name: `Let them park here: ${spot.spot_number}` }).waitFor();
    expect(await claimsOf(host)).toMatchObject([{ status: "cancelled" }]);
  });

  it("has for a concierge the reports of strangers, and nothing else of administrators", async () => {
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

  const openAsAdministrator = (path: string) => world().open(world().administrator(), path);

  it("finds at the gate whose car it is, at any moment", async () => {
    const owner = await world().person("Gate owner");
    const { spot, window } = await offerOf(owner);
    await claimOf(await world().person("Gate guest"), window, {
      guest: "Grace Hopper",
      vehicle: "GA-TE 42",
    });
    const verified = { is_verified: true };
    await world().administrator().ask("PUT", `/admin/parking-spots/${spot.id}`, verified);
    const page = await openAsAdministrator("/garage");
    await page.getByRole("button", { name: "Who may park" }).click();
    const search = page.getByRole("searchbox");
    await search.fill("gate owner");
    await page.getByText(spot.spot_number, { exact: true }).waitFor();
    await page.getByText("until", { exact: false }).first().waitFor();

    await page.getByLabel("At this moment").fill(hours(22).slice(0, 16));
    await search.fill("gate-42");
    const line = page.getByRole("listitem").filter({ hasText: "Grace Hopper" });
    await line.getByText("GA-TE 42").waitFor();
    expect(await page.locator(".desk > :first-child .entry-row").count()).toBe(1);
    await expectAccessible(page);

    await search.fill("nobody at all");
    await page.getByText("Nobody found").waitFor();
    await page.getByRole("button", { name: "Now" }).click();
    expect(await page.getByLabel("At this moment").inputValue()).toBe("");
  });

  it("lists at the gate who is still there after their time, where passages are kept", async () => {
    const open = () => openAsAdministrator("/garage?gate=yes");
    const late = (page: Page) =>
      page.getByRole("region", { name: "Still here without permission" });
    const before = await open();
    await before.getByRole("searchbox").waitFor();
    expect(await late(before).count()).toBe(0);

    await world().setBuilding({ passage_days: 1 });
    const passage = { vehicle: "LA TE 7", direction: "in", at: hours(-2) };
    await world().administrator().ask("POST", "/gate/passages", passage);
    const page = await open();
    await late(page).getByRole("listitem").filter({ hasText: "LATE7" }).waitFor();
    await expectAccessible(page);
  });

  it("cancels a claim for its people from the board of the garage, by keyboard alone", async () => {
    const { spot, window } = await offerOf(await world().person("Lender"));
    const claimer = await world().person("Borrower");
    const made = await claimOf(claimer, window);
    const page = await openAsAdministrator("/garage?section=Browser");
    const bar = page.getByRole("button", { name: `${spot.spot_number}: Borrower` });
    await bar.waitFor();
    await expectAccessible(page);
    await pressUntil(page, "Tab", page.locator("button.slot"));
    await pressUntil(page, "ArrowDown", bar);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: spot.spot_number }).waitFor();
    await expectAccessible(page);
    await pressUntil(page, "Tab", page.locator(`input[name="reason"]`));
    await page.keyboard.type("The lift is broken");
    await page.keyboard.press("Enter");

    await page.getByRole("button", { name: `${spot.spot_number}: Free` }).waitFor();
    expect(await claimer.read(`/claims/${made.id}`)).toMatchObject({ status: "cancelled" });
    expect(await messagesOf(claimer)).toContain("The lift is broken");
  });

  it("leads back from a day of the garage that cannot be read", async () => {
    const page = await openAsAdministrator("/garage");
    await page.locator("button.slot").first().waitFor();
    await page.route("**/api/board?*", (route) => route.abort("internetdisconnected"));
    const days = page.locator(".strip button");
    await days.nth(9).click();
    await page.getByRole("alert").waitFor();
    await days.nth(1).click(); // today, after the arrow
    await page.locator("button.slot").first().waitFor();
    await world().complained("ERR_INTERNET_DISCONNECTED");
  });

  it("withdraws a free window for its owner from the table of the garage", async () => {
    const owner = await world().person("Absent");
    const { spot, window } = await offerOf(owner);
    const page = await openAsAdministrator("/garage?view=table");
    await expectAccessible(page);
    await page.getByRole("button", { name: `Open ${spot.spot_number}` }).click();
    await page.getByLabel("Reason").fill("The gate is being repaired");
    await page.getByRole("button", { name: "Withdraw the time" }).click();

    await page.getByText(`The time of ${spot.spot_number} is withdrawn.`).waitFor();
    expect((await owner.ask("GET", `/availabilities/${window.id}`)).status).toBe(404);
    expect(await messagesOf(owner)).toContain("The gate is being repaired");
  });
});
