import { expect, it } from "@jest/globals";
import { registerSpot, windowsOf } from "./offer.ts";
import { describeInBrowser, expectAccessible } from "./open-page.ts";
import { fillMoment, fillSpan } from "./steps.ts";

describeInBrowser("from when until when", (world) => {
  async function openForm(form = "away") {
    const owner = await world().person("Sharer");
    const spot = await registerSpot(owner);
    const page = await world().open(owner, `/spots?${form}=${spot.id}`);
    const field = (name: string) => page.locator(`input[name=${name}]`);
    return { owner, page, field };
  }

  it("lets the end follow a start that passes it, as far as it was before", async () => {
    const { page, field } = await openForm();
    await fillSpan(page, "2031-05-01T08:00", "2031-05-01T18:00");
    const end = () => Promise.all(["date", "time"].map((it) => field(`end_${it}`).inputValue()));
    await field("start_date").fill("2031-05-03");
    expect(await end()).toEqual(["2031-05-03", "18:00"]);
    await field("start_time").fill("20:30");
    expect(await end()).toEqual(["2031-05-04", "06:30"]);
    await field("start_time").fill("23:00");
    expect(await end()).toEqual(["2031-05-04", "06:30"]);
  });

  it.each([
    ["away", "Share for this time"],
    ["share", "Share"],
  ])(
    "says why it does not send what ends before it begins, or in no such year: %s",
    async (form, send) => {
      const { owner, page, field } = await openForm(form);
      await fillSpan(page, "2031-05-01T18:00", "2031-05-01T06:00");
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
      expect(await windowsOf(owner)).toMatchObject([
        { start_time: "2031-05-01T18:00:00.000Z", end_time: "2031-05-02T06:00:00.000Z" },
      ]);
    },
  );

  it("says which time counts where the clocks skip one", async () => {
    await world().setBuilding({ time_zone: "Europe/Berlin" });
    const { page } = await openForm();
    await fillMoment(page, "From", "2031-03-30T02:30");
    await page.getByText("The clocks skip 02:30 on this day. It counts as 03:00.").waitFor();
    await expectAccessible(page);
  });
});
