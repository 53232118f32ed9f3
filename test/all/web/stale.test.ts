import { expect, it } from "@jest/globals";
import { addresses } from "../../../src/addresses.ts";
import { answerInstead } from "./network.ts";
import { offerOf } from "./offer.ts";
import { describeInBrowser, expectAccessible } from "./open-page.ts";

describeInBrowser("what could not be read anew", (world) => {
  const { spot: ofSpot, ...others } = addresses;
  const isTooMuch = { status: 429, headers: { "Retry-After": "3000" }, json: { error: "No" } };

  it("says of when it is on every screen, and when the service answers again", async () => {
    const { spot } = await offerOf(await world().person("Owner"));
    const page = await world().open(world().administrator());
    const paths = [...Object.values(others), `${ofSpot}/${spot.spot_number}`, "/garage?gate=yes"];
    const silent: string[] = [];
    for (const path of paths) {
      await page.goto(world().origin + path);
      await page.locator(".foot").waitFor();
      await answerInstead(page, (route) => route.fulfill(isTooMuch));
      await page.evaluate('dispatchEvent(new Event("online"))');
      const said = page.getByText(/^As of \d\d:\d\d$/);
      await said.waitFor({ timeout: 60_000 }).catch(() => silent.push(path));
      if (path === "/board") {
        await page
          .getByText(/^You have done as much as is allowed for now. It goes on at/)
          .waitFor();
        await expectAccessible(page);
      }
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.evaluate('dispatchEvent(new Event("online"))');
      await said.waitFor({ state: "detached", timeout: 60_000 }).catch(() => silent.push(path));
    }
    expect(silent).toEqual([]);
    await world().complained("429");
  }, 600_000);
});
