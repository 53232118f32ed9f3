import { expect, it } from "@jest/globals";
import { registerSpot } from "./offer.ts";
import { describeInBrowser, expectAccessible } from "./open-page.ts";

describeInBrowser("from when until when", (world) => {
  async function openSharing() {
    const owner = await world().person("Sharer");
    const spot = await registerSpot(owner);
    return world().open(owner, `/spots?away=${spot.id}`);
  }

  it("lets the end follow a start that passes it, as far as it was before", async () => {
    const page = await openSharing();
    const fill = (name: string, text: string) => page.locator(`input[name=${name}]`).fill(text);
    await fill("start_date", "2031-05-01");
    await fill("start_time", "08:00");
    await fill("end_date", "2031-05-01");
    await fill("end_time", "18:00");
    await fill("start_date", "2031-05-03");
    const end = () =>
      Promise.all(["date", "time"].map((it) => page.locator(`input[name=end_${it}]`).inputValue()));
    expect(await end()).toEqual(["2031-05-03", "18:00"]);
    await fill("start_time", "20:30");
    expect(await end()).toEqual(["2031-05-04", "06:30"]);
    await fill("start_time", "23:00");
    expect(await end()).toEqual(["2031-05-04", "06:30"]);
  });

  it.each([
    ["away", "Share for this time"],
    ["share", "Share"],
  ])(
    "says why it does not send what ends before it begins, or in no such year: %s",
    async (form, send) => {
      const owner = await world().person("Sharer");
      const spot = await registerSpot(owner);
      const page = await world().open(owner, `/spots?${form}=${spot.id}`);
      const field = (name: string) => page.locator(`input[name=${name}]`);
      await field("start_date").fill("2031-05-01");
      await field("start_time").fill("18:00");
      await field("end_date").fill("2031-05-01");
      await field("end_time").fill("06:00");
      const dialog = page.getByRole("dialog");
      await dialog
        .getByRole("status")
        .getByText("The end has to be after the beginning.")
        .waitFor();
      await expectAccessible(page);
      const button = dialog.getByRole("button", { name: send, exact: true });
      await button.click();
      await page.locator("input[name=end_time]:focus").waitFor();

      await field("end_date").fill("0031-05-01");
      await button.click();
      await page.locator("input[name=end_date]:focus").waitFor();

      await field("end_date").fill("2031-05-02");
      await button.click();
      await dialog.waitFor({ state: "detached" });
      const { body } = await owner.ask<{ availabilities: object[] }>(
        "GET",
        `/availabilities?owner_id=${owner.id}`,
      );
      expect(body.availabilities).toMatchObject([
        { start_time: "2031-05-01T18:00:00.000Z", end_time: "2031-05-02T06:00:00.000Z" },
      ]);
    },
  );

  it("says which time counts where the clocks skip one", async () => {
    await world().setBuilding({ time_zone: "Europe/Berlin" });
    const page = await openSharing();
    await page.locator("input[name=start_date]").fill("2031-03-30");
    await page.locator("input[name=start_time]").fill("02:30");
    await page.getByText("The clocks skip 02:30 on this day. It counts as 03:00.").waitFor();
    await expectAccessible(page);
  });
});
