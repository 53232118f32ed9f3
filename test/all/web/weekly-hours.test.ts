import { expect, it } from "@jest/globals";
import { registerSpot } from "./offer.ts";
import { describeInBrowser, expectAccessible } from "./open-page.ts";

describeInBrowser("weekly hours until a year that is far away", (world) => {
  it("are asked about only once they have a day, and answered for the next weeks", async () => {
    const owner = await world().person("Generous");
    const spot = await registerSpot(owner);
    const page = await world().open(owner, `/spots?share=${spot.id}`);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Every week" }).click();
    await dialog.getByText(/times in the next weeks/).waitFor();
    for (const day of await dialog.getByRole("checkbox").all()) await day.uncheck();
    await dialog.getByLabel("Last day").fill("2999-12-31");

    await dialog.getByText("Choose at least one day of the week.").waitFor();
    expect(await dialog.getByRole("button", { name: "Share every week" }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await dialog.getByRole("checkbox", { name: "Mon" }).check();
    // Four weeks have four Mondays, of which the first may be today.
    await dialog.getByText(/^[345] times in the next weeks/).waitFor();
  });

  it.each(["9999-12-30", "0000-01-01", "bogus"])(
    "are shown from this week on instead of %s",
    async (week) => {
      const owner = await world().person("Reader");
      await registerSpot(owner);
      const page = await world().open(owner, `/spots?week=${week}`);
      await page.locator(".week").first().waitFor();
      expect(await page.locator(".week-choice h2").innerText()).toMatch(/20\d\d/);
    },
  );
});
