import { expect, it } from "@jest/globals";
import type { Claim } from "../../support/building.ts";
import { hours } from "../../support/building.ts";
import { freeRow } from "./free-row.ts";
import { offerOf } from "./offer.ts";
import { describeInBrowser, expectAccessible, type Resident } from "./open-page.ts";

const claim = async (claimer: Resident, windowId: string): Promise<Claim> => {
  const body = { availability_id: windowId, start_time: hours(21), end_time: hours(24) };
  return (await claimer.ask<{ claim: Claim }>("POST", "/claims", body)).body.claim;
};

describeInBrowser("where the rest of a window stays on offer", (world) => {
  const keepRest = () =>
    world().administrator().ask("PUT", "/admin/building", { rest_stays_on_offer: true });

  it("says that who finishes early gives the rest back", async () => {
    await keepRest();
    const { window } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Driver");
    await claim(claimer, window.id);
    const page = await world().open(claimer, "/");
    // The page shows it as a claim that has begun.
    await page.route("**/api/**", async (route) => {
      if (route.request().url().endsWith("/events")) return route.continue();
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(hours(21), hours(-3));
      await route.fulfill({ response, body });
    });
    await page.goto(`${world().origin}/claims`);

    await page.getByText("If you finish early").waitFor();
    await page.getByRole("button", { name: "Finish now" }).waitFor();
    await expectAccessible(page);
  });

  it("gives a claim more time than its window has, as long as it is free beside it", async () => {
    await keepRest();
    const { window } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Changer");
    const { id } = await claim(claimer, window.id);
    const page = await world().open(claimer, `/claims?changing=${id}`);
    const dialog = page.getByRole("dialog", { name: "Change your claim" });
    await dialog.getByText("You can take more time").waitFor();
    await expectAccessible(page);
    const until = dialog.getByRole("group", { name: "Until" });
    await until.getByLabel("Date").fill(hours(26).slice(0, 10));
    await until.getByLabel("Time").fill(hours(26).slice(11, 16));
    await dialog.getByRole("button", { name: "Save" }).click();

    await page.getByText("Your claim is saved.").waitFor();
    const { body } = await claimer.ask<{ claim: Claim }>("GET", `/claims/${id}`);
    expect(body.claim).toMatchObject({ start_time: hours(21), end_time: hours(26) });
  });

  it("finds and claims what another left", async () => {
    await keepRest();
    const { spot, window } = await offerOf(await world().person("Owner"));
    await claim(await world().person("Driver"), window.id);
    const seeker = await world().person("Seeker");
    const page = await world().open(seeker, `/?start=${hours(24)}&end=${hours(26)}`);
    const row = await freeRow(page, spot.spot_number);
    await row.getByRole("button", { name: `Claim ${spot.spot_number}` }).click();
    await page.getByText(`${spot.spot_number} is yours`).waitFor();
    await expectAccessible(page);
  });
});
