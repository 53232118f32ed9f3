import { readFile } from "node:fs/promises";
import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { hours } from "../../support/building.ts";
import { claimOf, claimsOf, offerOf } from "./offer.ts";
import { describeInBrowser, expectAccessible } from "./open-page.ts";

describeInBrowser("guests and vehicles", (world) => {
  it("proposes the usual plate for a claim, and shows it to the owner", async () => {
    const owner = await world().person("Host of cars");
    const { spot, window } = await offerOf(owner);
    const claimer = await world().person("Driver");
    const page = await world().open(claimer, "/profile");
    await page.getByLabel("Usual number plate").fill("B-DR 1");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Your details are saved.").waitFor();

    await page.goto(`${world().origin}/board?window=${window.id}`);
    const dialog = page.getByRole("dialog");
    const plate = dialog.getByLabel("Number plate");
    await plate.waitFor();
    expect(await plate.inputValue()).toBe("B-DR 1");
    await dialog.getByLabel("Guest").fill("Ada Lovelace");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Claim" }).click();
    await page.getByText(`${spot.spot_number} is yours`).waitFor();

    expect(await claimsOf(claimer)).toMatchObject([{ guest: "Ada Lovelace", vehicle: "B-DR 1" }]);
    await page.goto(`${world().origin}/claims`);
    await page.getByText("Ada Lovelace · B-DR 1").waitFor();

    const ofOwner = await world().open(owner, "/spots");
    await ofOwner.getByRole("button", { name: /Lent/ }).first().click();
    await ofOwner.getByRole("dialog").getByText("Ada Lovelace · B-DR 1").waitFor();
    await expectAccessible(ofOwner);
  });

  it("changes guest and plate, and keeps them where a cancelled claim is claimed again", async () => {
    const { spot, window } = await offerOf(await world().person("Another host"));
    const claimer = await world().person("Changing guests");
    const { id } = await claimOf(claimer, window, { guest: "Ada", vehicle: "X 1" });
    const page = await world().open(claimer, "/claims");
    await page.getByRole("button", { name: "Change" }).click();
    const dialog = page.getByRole("dialog", { name: spot.spot_number });
    await dialog.getByLabel("Guest").fill("");
    await dialog.getByLabel("Number plate").fill("X 2");
    await expectAccessible(page);
    // The claims are read again so late that the row has what was before.
    const isUndone = Promise.withResolvers<void>();
    await page.route("**/api/graphql", async (route) => {
      await isUndone.promise;
      await route.continue();
    });
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Your claim is saved.").waitFor();
    const { body } = await claimer.ask<{ claim: object }>("GET", `/claims/${id}`);
    expect(body.claim).toMatchObject({ vehicle: "X 2" });
    expect(body.claim).not.toHaveProperty("guest");

    await page.getByRole("button", { name: "Cancel claim" }).click();
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await page.getByText("is yours again").waitFor();
    isUndone.resolve();
    await page.getByRole("button", { name: "Cancel claim" }).waitFor();
    const again = await claimer.ask<{ claims: object[] }>("GET", "/claims?status=active");
    expect(again.body.claims).toMatchObject([{ vehicle: "X 2" }]);
  });

  it("finds at the gate whose car it is, at any moment", async () => {
    const owner = await world().person("Gate owner");
    const { spot, window } = await offerOf(owner);
    await claimOf(await world().person("Gate guest"), window, {
      guest: "Grace Hopper",
      vehicle: "GA-TE 42",
    });
    await world()
      .administrator()
      .ask("PUT", `/admin/parking-spots/${spot.id}`, { is_verified: true });
    const page = await world().open(world().administrator(), "/garage");
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
    const open = () => world().open(world().administrator(), "/garage?gate=yes");
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
