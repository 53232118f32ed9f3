import { expect, it } from "@jest/globals";
import { hours, type Spot, type Window } from "../../support/building.ts";
import { until } from "../../support/waiting.ts";
import { claimsOf, offerOf, registerSpot, runningClaim, windowOf } from "./offer.ts";
import { describeInBrowser, expectAccessible, type Resident, signIn } from "./open-page.ts";
import { PHONE } from "./steps.ts";

/** Free from a moment ago: a window begins in the future, so this one is moved there. */
function shareNow(owner: Resident, spot: Spot): Promise<Window> {
  const soon = new Date(Date.now() + 30_000).toISOString();
  return windowOf(owner, spot, soon, hours(9));
}

const pathOf = ({ spot_number }: Spot): string => `/spot/${encodeURIComponent(spot_number)}`;

describeInBrowser("the screen of one spot", (world) => {
  it("leads from a scanned code through the sign-in to a claim with one tap", async () => {
    const owner = await world().person("Owner");
    const spot = await registerSpot(owner);
    await owner.ask("PUT", `/parking-spots/${spot.id}`, { notes: "2.10 m wide" });
    await owner.ask("PUT", `/parking-spots/${spot.id}/access`, { access_notes: "Code 4711" });
    await shareNow(owner, spot);
    const claimer = await world().person("Claimer");
    const page = await world().blank(PHONE);
    await page.goto(world().origin + pathOf(spot));
    await page.getByText(`Sign in to see spot ${spot.spot_number}.`).waitFor();
    await expectAccessible(page);
    await signIn(page, claimer.email);

    await page.getByRole("heading", { level: 1, name: `Spot ${spot.spot_number}` }).waitFor();
    await page.getByText("2.10 m wide").waitFor();
    await page.getByRole("heading", { name: /^Free now, until / }).waitFor();
    expect(await page.getByText("4711").count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole("button", { name: /^Claim until / }).click();
    const answer = page.getByRole("dialog");
    await answer.getByText("How to get in: Code 4711").waitFor();
    await expectAccessible(page);
    await answer.getByRole("button", { name: "Close" }).click();
    await page.getByRole("heading", { name: /^You have it / }).waitFor();
    await page.getByRole("button", { name: "Whose spot is it?" }).click();
    await page.getByText("How to get in: Code 4711").waitFor();
    await expectAccessible(page);

    expect(await claimer.read(`/claims?spot_id=${spot.id}&status=active`)).toHaveLength(1);
  });

  it("says from when it can be claimed, where notice is asked for", async () => {
    const owner = await world().person("Owner");
    const spot = await registerSpot(owner, "Notice");
    await shareNow(owner, spot);
    const limits = { claim_notice_minutes: 120 };
    await world().administrator().ask("PUT", "/admin/sections/Notice", limits);
    const page = await world().open(await world().person("Claimer"), pathOf(spot));
    await page.getByRole("heading", { name: /^Free now, until / }).waitFor();
    await page.getByRole("button", { name: /^Claim (?!until )/ }).click();
    await page.getByRole("dialog").getByText("is yours").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: /^You have it / }).waitFor();
  });

  it("is at an address for each number, whatever characters it has", async () => {
    const owner = await world().person("Odd");
    for (const spot_number of ["P/1 ö%?#&", "a..b", ".."]) {
      const spot = { spot_number, building_section: "Odd" };
      const { body } = await owner.ask<{ spot: Spot }>("POST", "/parking-spots", spot);
      const page = await world().open(owner, `/signs?spot=${body.spot.id}`);
      const code = await page.getByRole("img", { name: /^QR code of / }).getAttribute("aria-label");
      await page.goto(code?.replace("QR code of ", "") ?? "");
      await page.getByText(/^Your spot\. You are not sharing it/).waitFor();
      await page.context().close();
    }
  });

  it("says so where there is no such spot", async () => {
    const page = await world().open(await world().person("Lost"), "/spot/no%2Dsuch%");
    await page.getByText("There is no spot no%2Dsuch% in this building").waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Open the board" }).click();
    await page.getByRole("heading", { level: 1, name: "Board" }).waitFor();
  });

  it("lets the owner share it, and print its sign", async () => {
    const owner = await world().person("Owner");
    const spot = await registerSpot(owner);
    await registerSpot(owner);
    const page = await world().open(owner, pathOf(spot));
    await expectAccessible(page);
    await page.getByRole("link", { name: "Sign with QR code" }).click();
    await page.getByRole("heading", { level: 2, name: spot.spot_number }).waitFor();
    expect(await page.getByRole("listitem").count()).toBe(1);
    await expectAccessible(page);
    await page.goBack();
    await page.getByRole("link", { name: "Share", exact: true }).click();
    await page.getByRole("dialog", { name: `Share ${spot.spot_number}` }).waitFor();
  });

  const reportsOf = (who: Resident) => who.read<readonly { id: string }[]>("/spot-reports");

  it("has a stranger's car reported by the claimer with two taps, who reads what became of it, and parks elsewhere", async () => {
    await world().setBuilding({ rest_stays_on_offer: true });
    const [owner, claimer] = [await world().person("Owner"), await world().person("Claimer")];
    await offerOf(owner, hours(1), hours(9));
    const { spot, claim } = await runningClaim(owner, claimer);
    await until("another is free", async () => {
      const other = await registerSpot(owner);
      return (await shareNow(owner, other))?.id !== undefined;
    });
    const page = await world().open(claimer, "/", PHONE);
    await page.locator(".hero").getByRole("button", { name: "Stranger's car" }).click();
    const dialog = page.getByRole("dialog", { name: `Someone stands on ${spot.spot_number}` });
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Report it" }).click();

    await dialog
      .getByText(/^Reported at \d\d:\d\d\. The administrators and the owner know of it/)
      .waitFor();
    expect(await reportsOf(claimer)).toMatchObject([{ holder_id: owner.id }]);
    await expectAccessible(page);
    const other = dialog.locator(".free-row").first();
    await other.getByRole("button", { name: "Claim" }).click();
    await other.getByText("is yours").waitFor();
    const [made] = (await claimsOf(claimer)).filter(({ id }) => id !== claim.id);
    expect(made).toMatchObject({ end_time: claim.end_time, status: "active" });
    await dialog.getByRole("button", { name: "Close" }).click();

    // It is not reported twice.
    await page.getByRole("button", { name: /^Reported at / }).click();
    await dialog.getByText(/^Reported at/).waitFor();
    expect(await dialog.getByRole("button", { name: "Report it" }).count()).toBe(0);
    expect(await reportsOf(claimer)).toHaveLength(1);
  });

  it("has a stranger's car reported by the owner from the first screen, until it is dealt with", async () => {
    await world().setBuilding({ rest_stays_on_offer: true });
    const [owner, claimer] = [await world().person("Owner"), await world().person("Claimer")];
    const { spot } = await runningClaim(owner, claimer);
    const page = await world().open(owner, "/", PHONE);
    const card = page.locator(".own-card", { hasText: spot.spot_number });
    await card.getByRole("button", { name: "Stranger's car" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Report it" }).click();
    await dialog.getByText("the neighbour who has claimed your spot know of it").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await card.getByRole("button", { name: /^Reported at / }).waitFor();

    const driver = await world().open(claimer, "/", PHONE);
    await driver.getByRole("button", { name: /^Reported at / }).click();
    const known = /^The owner reported it at \d\d:\d\d\. The administrators know of it\.$/;
    await driver.getByText(known).waitFor();

    const [report] = await reportsOf(owner);
    const path = `/admin/spot-reports/${report?.id}`;
    await world().administrator().ask("PUT", path, { is_resolved: true });
    await card.getByRole("button", { name: "Stranger's car" }).waitFor();
  });

  it("has a sign, as all spots have for administrators without one of their own", async () => {
    await registerSpot(await world().person("Owner"));
    const page = await world().open(world().administrator(), "/signs");
    const path = "/parking-spots?limit=1";
    const { body } = await world().administrator().ask<{ total: number }>("GET", path);
    await page.locator(".sign").first().waitFor();
    expect(await page.locator(".sign").count()).toBe(body.total);
    await expectAccessible(page);
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("button", { name: "Print" }).isVisible()).toBe(false);
    expect(await page.locator(".sign").first().isVisible()).toBe(true);
  });

  it("has no sign for somebody who owns no spot", async () => {
    const page = await world().open(await world().person("None"), "/signs?all=yes");
    await page.getByText("There is no spot to make a sign for").waitFor();
    await expectAccessible(page);
  });
});
