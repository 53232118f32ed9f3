import { expect, it } from "@jest/globals";
import type { Claim, Spot } from "../../support/building.ts";
import { hours } from "../../support/building.ts";
import { until } from "../../support/waiting.ts";
import { freeRow } from "./free-row.ts";
import { claimOf, claimsOf, offerOf, registerSpot } from "./offer.ts";
import { describeInBrowser, openLive, type Resident } from "./open-page.ts";

describeInBrowser("a tab that was left open", (world) => {
  const claimAll = async (claimer: Resident, owner: Resident) => {
    const { spot, window } = await offerOf(owner);
    return { spot, claim: await claimOf(claimer, window) };
  };

  it("saves of a profile what was touched, and leaves the rest as it is by now", async () => {
    const person = await world().person("Left Open");
    await person.ask("PUT", "/profile", { vehicle: "B-OLD 1" });
    const page = await world().open(person, "/profile");
    await page.getByLabel("Full name").fill("Newly Named");
    await person.ask("PUT", "/profile", { vehicle: "B-NEW 2", shares_phone_number: true });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Your details are saved.").waitFor();

    const { body } = await person.ask<{ profile: object }>("GET", "/profile");
    expect(body.profile).toMatchObject({
      full_name: "Newly Named",
      vehicle: "B-NEW 2",
      shares_phone_number: true,
    });
    await world().complained("412");
  });

  it("saves of a claim what was touched", async () => {
    const claimer = await world().person("Claimer");
    const { claim } = await claimAll(claimer, await world().person("Owner"));
    const page = await world().open(claimer, `/claims?changing=${claim.id}`);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/plate/i).fill("B-AB 3");
    await claimer.ask("PUT", `/claims/${claim.id}`, { guest: "Carla" });
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.waitFor({ state: "detached" });

    const { body } = await claimer.ask<{ claim: Claim }>("GET", `/claims/${claim.id}`);
    expect(body.claim).toMatchObject({ guest: "Carla", vehicle: "B-AB 3" });
    await world().complained("412");
  });

  it("is refused once where the same was changed elsewhere, and then saved", async () => {
    const owner = await world().person("Owner");
    const spot = await registerSpot(owner);
    const path = `/parking-spots/${spot.id}`;
    const page = await world().open(owner, `/spots?edit=${spot.id}`);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("For everybody").fill("Mine");
    await owner.ask("PUT", path, { notes: "Theirs" });
    const save = dialog.getByRole("button", { name: "Save", exact: true });
    await save.click();
    await dialog.getByRole("alert").getByText("It has changed in the meantime.").waitFor();
    expect((await owner.ask<{ spot: Spot }>("GET", path)).body.spot).toMatchObject({
      notes: "Theirs",
    });
    await save.click();
    await dialog.waitFor({ state: "detached" });
    expect((await owner.ask<{ spot: Spot }>("GET", path)).body.spot).toMatchObject({
      notes: "Mine",
    });
    await world().complained("412");
  });

  it("claims at one tap for the car that the person has by now", async () => {
    const { spot } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("New car");
    await claimer.ask("PUT", "/profile", { vehicle: "B-OLD 1" });
    const page = await openLive(world(), claimer, `/?start=${hours(20)}&end=${hours(26)}`);
    const row = await freeRow(page, spot.spot_number);
    const isHeard = page.waitForResponse("**/api/profile");
    await claimer.ask("PUT", "/profile", { vehicle: "B-NEW 2" });
    await isHeard;
    await row.getByRole("button", { name: "Claim" }).click();
    await row.getByText("is yours").waitFor();

    expect(await claimsOf(claimer)).toMatchObject([{ vehicle: "B-NEW 2" }]);
  });

  it("shows a new code, and keeps none of a claim that is gone", async () => {
    const [owner, claimer] = [await world().person("Owner"), await world().person("Claimer")];
    const { spot, claim } = await claimAll(claimer, owner);
    const path = `/parking-spots/${spot.id}/access`;
    await owner.ask("PUT", path, { access_notes: "Code 4711" });
    const page = await openLive(world(), claimer, "/");
    await page.getByText("Code 4711").waitFor();
    await owner.ask("PUT", path, { access_notes: "Code 1234" });
    await page.getByText("Code 1234").waitFor();

    const isKept = () => page.evaluate<boolean>("localStorage.getItem('kept').includes('1234')");
    await until("the code is kept", isKept);
    await claimer.ask("DELETE", `/claims/${claim.id}`);
    await page.getByText("Code 1234").waitFor({ state: "detached" });
    expect(await isKept()).toBe(false);
  });

  it("offers what the limits allow as soon as they have changed", async () => {
    const claimer = await world().person("Claimer");
    await claimAll(claimer, await world().person("Owner"));
    const page = await openLive(world(), claimer, "/claims");
    await page.getByRole("button", { name: "Cancel claim" }).waitFor();
    await world().setBuilding({ cancellation_cutoff_minutes: 3_000 });
    await page.getByText("It can no longer be cancelled").waitFor();
    await world().setBuilding({});
    await page.getByRole("button", { name: "Cancel claim" }).waitFor();
  });
});
