import { expect, it } from "@jest/globals";
import type { Claim } from "../../support/building.ts";
import { hours } from "../../support/building.ts";
import { freeRow } from "./free-row.ts";
import { offerOf } from "./offer.ts";
import { describeInBrowser, type Resident, signIn } from "./open-page.ts";

const MINUTE = 60_000;

describeInBrowser("the page on a device whose clock is wrong", (world) => {
  /** By so many minutes. */
  async function openAt(minutes: number, who: Resident) {
    const page = await world().blank();
    await page.addInitScript(`{
      const Right = Date;
      globalThis.serviceNow = () => Right.now();
      const now = () => Right.now() + ${minutes * MINUTE};
      Date = class extends Right {
        constructor(...given) { if (given.length > 0) super(...given); else super(now()); }
        static now() { return now(); }
      };
    }`);
    await page.goto(world().origin);
    await signIn(page, who.email);
    return page;
  }

  it.each([-7, 7, 90])("claims with one tap where it is %s minutes ahead", async (minutes) => {
    const soon = new Date(Date.now() + MINUTE / 2).toISOString();
    const { spot } = await offerOf(await world().person("Owner"), soon, hours(9));
    const claimer = await world().person("Out of time");
    const page = await openAt(minutes, claimer);
    const row = await freeRow(page, spot.spot_number);
    const before = Date.now();
    await row.getByRole("button", { name: "Claim" }).click();
    await row.getByText("is yours").waitFor();

    const { body } = await claimer.ask<{ claims: Claim[] }>("GET", "/claims");
    const [claim] = body.claims;
    const wait = Date.parse(claim?.start_time ?? "") - before;
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThan(7 * MINUTE);
    // It begins as the service says, and not as the device does.
    await page.goto(`${world().origin}/claims`);
    await page.getByText(/^in [1-6] min/).waitFor();
    await claimer.ask("DELETE", `/claims/${claim?.id}`);
  });
});
