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

  it("says which time counts where the clocks skip one", async () => {
    const zone = (time_zone: string) =>
      world().administrator().ask("PUT", "/admin/building", { time_zone });
    await zone("Europe/Berlin");
    const page = await openSharing();
    await page.locator("input[name=start_date]").fill("2031-03-30");
    await page.locator("input[name=start_time]").fill("02:30");
    await page.getByText("The clocks skip 02:30 on this day. It counts as 03:30.").waitFor();
    await expectAccessible(page);
    await zone("UTC");
  });
});
