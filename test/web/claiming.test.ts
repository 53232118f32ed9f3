import { afterEach, expect, it, jest } from "@jest/globals";
import type { Spot, Window } from "../support/building.ts";
import { hours } from "../support/building.ts";
import { describeInBrowser, expectAccessible, type Resident } from "./open-page.ts";

jest.setTimeout(60_000);

let spots = 0;

/** A spot with a window from 20 to 26 hours from now. */
async function offerOf(owner: Resident): Promise<{ spot: Spot; window: Window }> {
  spots += 1;
  const section = { spot_number: `W-${spots}`, building_section: "Browser" };
  const { body } = await owner.ask<{ spot: Spot }>("POST", "/parking-spots", section);
  const times = { start_time: hours(20), end_time: hours(26) };
  const published = await owner.ask<{ availability: Window }>("POST", "/availabilities", {
    spot_id: body.spot.id,
    ...times,
  });
  return { spot: body.spot, window: published.body.availability };
}

describeInBrowser("claiming on the board", (world) => {
  afterEach(async () => {
    for (const context of world().browser.contexts()) await context.close();
    expect(world().complaints()).toEqual([]);
  });

  const claimsOf = async (resident: Resident) =>
    (await resident.ask<{ claims: { status: string }[] }>("GET", "/claims")).body.claims;

  it("claims a window by mouse, and takes it back", async () => {
    const { spot } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Claimer");
    const page = await world().open(claimer, "/?view=table");
    const line = page.getByRole("row", { name: spot.spot_number });
    await line.getByRole("button", { name: "Claim" }).click();
    const dialog = page.getByRole("dialog", { name: `Claim ${spot.spot_number}` });
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Claim" }).click();

    await line.getByText("Yours").waitFor();
    expect(await claimsOf(claimer)).toMatchObject([{ status: "active" }]);

    await page.getByRole("button", { name: "Undo" }).click();
    await line.getByText("Free").waitFor();
    expect(await claimsOf(claimer)).toEqual([]);
  });
});
