import { readFile } from "node:fs/promises";
import { expect, it } from "@jest/globals";
import { hours } from "../../support/building.ts";
import { freeRow } from "./free-row.ts";
import { claimOf, claimsOf, offerOf, registerSpot, windowsOf } from "./offer.ts";
import { describeInBrowser, expectAccessible, type Resident } from "./open-page.ts";

/** A spot that is free all of tomorrow, whatever time it is now. */
const offerOfTomorrow = (owner: Resident) => offerOf(owner, hours(1), hours(60));

const ofTomorrow = {
  start_time: expect.stringContaining("T08:00:00"),
  end_time: expect.stringContaining("T18:00:00"),
};

describeInBrowser("the screen Now", (world) => {
  it("claims a spot for tomorrow by two taps, says what is claimed, and takes it back", async () => {
    const owner = await world().person("Nora Neighbour");
    const { spot } = await offerOfTomorrow(owner);
    const claimer = await world().person("Quick claimer");
    await claimer.ask("PUT", "/profile", { vehicle: "B-QC 2" });
    const page = await world().open(claimer);
    await page.getByRole("button", { name: "Tomorrow" }).click();
    const row = await freeRow(page, spot.spot_number);
    await row.getByText("Not verified yet").waitFor();
    await expectAccessible(page);
    await row.getByRole("button", { name: `Claim ${spot.spot_number}` }).click();

    await row.getByText(`${spot.spot_number} is yours`).waitFor();
    await row.getByText("Nora Neighbour").waitFor();
    expect(await claimsOf(claimer)).toMatchObject([{ ...ofTomorrow, vehicle: "B-QC 2" }]);
    await expectAccessible(page);
    const download = page.waitForEvent("download");
    await row.getByRole("button", { name: "Add to calendar" }).click();
    expect(await readFile(await (await download).path(), "utf8")).toContain(spot.spot_number);

    await row.getByRole("button", { name: "Undo" }).click();
    await row.getByRole("button", { name: `Claim ${spot.spot_number}` }).waitFor();
    expect(await claimsOf(claimer)).toEqual([]);
  });

  it("keeps a row whose claim is refused, and says why", async () => {
    const { spot, window } = await offerOfTomorrow(await world().person("Owner"));
    const page = await world().open(await world().person("Slow"), "/?when=tomorrow");
    const row = await freeRow(page, spot.spot_number);
    await page.route("**/api/claims", async (route) => {
      const isClaim = route.request().method() === "POST";
      if (isClaim) await claimOf(await world().person("Faster"), window);
      await route.continue();
    });
    await row.getByRole("button", { name: `Claim ${spot.spot_number}` }).click();

    await row.getByRole("alert").waitFor();
    await world().complained("400");
  });

  it("shows in its row what became of a claim that was made there", async () => {
    const { spot } = await offerOfTomorrow(await world().person("Owner"));
    const claimer = await world().person("Changer");
    const page = await world().open(claimer, "/?when=tomorrow");
    const row = await freeRow(page, spot.spot_number);
    const claimButton = row.getByRole("button", { name: `Claim ${spot.spot_number}` });
    await claimButton.click();
    await row.getByText("08:00–18:00").waitFor();
    await row.getByRole("button", { name: "Change" }).click();
    const dialog = page.getByRole("dialog", { name: spot.spot_number });
    await dialog.getByRole("group", { name: "Until" }).getByLabel("Time").fill("17:00");
    await dialog.getByRole("button", { name: "Save" }).click();
    await row.getByText("08:00–17:00").waitFor();

    const [claim] = await claimsOf(claimer);
    const body = { status: "cancelled", reason: "The garage is painted" };
    await world().administrator().ask("PUT", `/admin/claims/${claim?.id}`, body);
    await claimButton.waitFor();
    expect(await page.locator(".hero").count()).toBe(0);
  });

  it("finds what is free for a part of the time, also at the former address of the search", async () => {
    // The demo building offers nothing at that time.
    const { spot } = await offerOf(await world().person("Owner"), hours(1_900), hours(1_902));
    const query = `?start=${hours(1_901)}&end=${hours(1_905)}`;
    const page = await world().open(await world().person("Bookmarker"), `/find${query}`);
    const parts = page.locator("section", { hasText: "Free for part of the time" });
    await parts.getByText(spot.spot_number).first().waitFor();

    const { pathname, search } = new URL(page.url());
    expect(pathname + search).toBe(`/${query}`);
  });

  it.each(["start=bogus", "end=2030-99-01", "start=9999-12-31T12:00:00Z"])(
    "leads back from an address with %s",
    async (query) => {
      const page = await world().open(await world().person("Lost"), `/find?${query}`);
      await page.getByText("times that do not exist").waitFor();
      await expectAccessible(page);
      await page.getByRole("link", { name: "See what is free now" }).click();
      await page.getByRole("button", { name: "Now", pressed: true }).waitFor();
    },
  );

  it("shares one's own spot tomorrow by a tap, and takes it back", async () => {
    const owner = await world().person("Sharer");
    const spot = await registerSpot(owner);
    const page = await world().open(owner);
    const card = page.getByRole("listitem").filter({ hasText: spot.spot_number });
    await card.getByText("Not shared now").waitFor();
    await expectAccessible(page);
    await card.getByRole("button", { name: "Share tomorrow" }).click();
    await card.getByRole("img", { name: /^Shared 08:00/ }).waitFor();
    expect(await windowsOf(owner)).toMatchObject([ofTomorrow]);
    await expectAccessible(page);

    await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await card.getByRole("button", { name: "Share tomorrow" }).waitFor();
    expect(await windowsOf(owner)).toEqual([]);

    await card.getByRole("button", { name: "Share now until …" }).click();
    const dialog = page.getByRole("dialog", { name: `Share ${spot.spot_number}` });
    await dialog.getByRole("button", { name: "Share", exact: true }).click();
    await card.getByText(/^Not shared now/).waitFor();
    await card
      .getByRole("img", { name: /^Shared / })
      .first()
      .waitFor();
    expect(await windowsOf(owner)).toHaveLength(1);
  });
});
