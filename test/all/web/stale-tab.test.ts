import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { until } from "../../support/waiting.ts";
import { claimFor, claimsOf, FROM, offerOf, registerSpot, UNTIL } from "./offer.ts";
import { describeInBrowser, openAnswered, openLive, type Resident } from "./open-page.ts";
import { freeRow } from "./steps.ts";

describeInBrowser("a tab that was left open", (world) => {
  /** A form that has read the row of this path, which it changes. */
  const openRead = (who: Resident, form: string, path: string): Promise<Page> =>
    openAnswered(world(), who, form, `**/api${path}`);

  it("saves of a profile what was touched, and leaves the rest as it is by now", async () => {
    const person = await world().person("Left Open");
    await person.ask("PUT", "/profile", { vehicle: "B-OLD 1" });
    const page = await world().open(person, "/profile");
    await page.getByLabel("Full name").fill("Newly Named");
    await person.ask("PUT", "/profile", { vehicle: "B-NEW 2", shares_phone_number: true });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Your details are saved.").waitFor();

    expect(await person.read("/profile")).toMatchObject({
      full_name: "Newly Named",
      vehicle: "B-NEW 2",
      shares_phone_number: true,
    });
    await world().complained("412");
  });

  it("saves of a claim what was touched", async () => {
    const claimer = await world().person("Claimer");
    const { claim } = await claimFor(world(), claimer);
    const page = await openRead(claimer, `/claims?changing=${claim.id}`, `/claims/${claim.id}`);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/plate/i).fill("B-AB 3");
    await claimer.ask("PUT", `/claims/${claim.id}`, { guest: "Carla" });
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.waitFor({ state: "detached" });

    const saved = await claimer.read(`/claims/${claim.id}`);
    expect(saved).toMatchObject({ guest: "Carla", vehicle: "B-AB 3" });
    await world().complained("412");
  });

  it("is refused once where the same was changed elsewhere, and then saved", async () => {
    const owner = await world().person("Owner");
    const spot = await registerSpot(owner);
    const path = `/parking-spots/${spot.id}`;
    const page = await openRead(owner, `/spots?edit=${spot.id}`, path);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("For everybody").fill("Mine");
    await owner.ask("PUT", path, { notes: "Theirs" });
    const save = dialog.getByRole("button", { name: "Save", exact: true });
    await save.click();
    await dialog.getByRole("alert").getByText("It has changed in the meantime.").waitFor();
    expect(await owner.read(path)).toMatchObject({ notes: "Theirs" });
    await save.click();
    await dialog.waitFor({ state: "detached" });
    expect(await owner.read(path)).toMatchObject({ notes: "Mine" });
    await world().complained("412");
  });

  it("claims at one tap for the car that the person has by now", async () => {
    const { spot } = await offerOf(await world().person("Owner"), FROM, UNTIL);
    const claimer = await world().person("New car");
    await claimer.ask("PUT", "/profile", { vehicle: "B-OLD 1" });
    const page = await openLive(world(), claimer, `/?start=${FROM}&end=${UNTIL}`);
    const row = await freeRow(page, spot.spot_number);
    const isHeard = page.waitForResponse("**/api/profile");
    await claimer.ask("PUT", "/profile", { vehicle: "B-NEW 2" });
    await isHeard;
    await row.getByRole("button", { name: "Claim" }).click();
    await row.getByText("is yours").waitFor();

    expect(await claimsOf(claimer)).toMatchObject([{ vehicle: "B-NEW 2" }]);
  });

  it("shows a new code, and keeps none of a claim that is gone", async () => {
    const claimer = await world().person("Claimer");
    const { owner, spot, claim } = await claimFor(world(), claimer);
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
    await claimFor(world(), claimer);
    const page = await openLive(world(), claimer, "/claims");
    await page.getByRole("button", { name: "Cancel claim" }).waitFor();
    await world().setBuilding({ cancellation_cutoff_minutes: 3_000 });
    await page.getByText("It can no longer be cancelled").waitFor();
    await world().setBuilding({});
    await page.getByRole("button", { name: "Cancel claim" }).waitFor();
  });
});
