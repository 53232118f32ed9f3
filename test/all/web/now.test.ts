import { readFile } from "node:fs/promises";
import { expect, it } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { hours } from "../../support/building.ts";
import {
  claimFor,
  claimOf,
  claimsOf,
  FROM,
  offerOf,
  registerSpot,
  runningClaim,
  UNTIL,
  windowOf,
  windowsOf,
} from "./offer.ts";
import { describeInBrowser, expectAccessible, type Resident } from "./open-page.ts";
import { freeRow, PHONE, timeField } from "./steps.ts";

/** A spot that is free all of tomorrow, whatever time it is now. */
const offerOfTomorrow = (owner: Resident) => offerOf(owner, hours(1), hours(60));

/** A zone in which it is noon or a little later, and the moment of an hour of its today. */
function aroundNoon() {
  const hour = new Date().getUTCHours();
  const time_zone = hour === 12 ? "UTC" : `Etc/GMT${hour > 12 ? "+" : "-"}${Math.abs(12 - hour)}`;
  const noon = new Date().setUTCMinutes(0, 0, 0);
  const at = (ofDay: number) => new Date(noon + (ofDay - 12) * 3_600_000).toISOString();
  return { time_zone, at };
}

const claimedFor = (from: string, until: string) => ({
  start_time: expect.stringContaining(`T${from}:00`),
  end_time: expect.stringContaining(`T${until}:00`),
});
const ofTomorrow = claimedFor("08:00", "18:00");

/** Whether all of it is between the bars of the page, without scrolling. */
async function isInSight(page: Page, it: Locator): Promise<boolean> {
  await it.waitFor();
  const [box, tabs] = [await it.boundingBox(), await page.locator(".tabs").boundingBox()];
  if (!box || !tabs) return false;
  const isBelow = tabs.y > 400; // at the top of a wide screen
  return box.y >= 60 && box.y + box.height <= (isBelow ? tabs.y : 800);
}

describeInBrowser("the screen Now", (world) => {
  it("has in sight what an owner needs today, beside a claim in five days and a running one", async () => {
    await world().setBuilding({ rest_stays_on_offer: true });
    const [neighbour, owner] = [await world().person("Neighbour"), await world().person("Owner")];
    const spot = await registerSpot(owner);
    const { spot: far } = await claimFor(world(), owner, hours(120), hours(124));
    for (const isRunning of [false, true]) {
      if (isRunning) await runningClaim(neighbour, owner);
      const page = await world().open(owner, "/", PHONE);
      const card = page.locator(".own-card", { hasText: spot.spot_number });
      expect(await isInSight(page, card.getByRole("button", { name: "Share tomorrow" }))).toBe(
        true,
      );
      expect(await page.locator(".hero").count()).toBe(isRunning ? 1 : 0);
      if (isRunning)
        expect(await isInSight(page, page.getByRole("button", { name: "Finish now" }))).toBe(true);
      await expectAccessible(page);
      await page.locator(".claim-lines").getByRole("link", { name: far.spot_number }).click();
      await page.locator(".hero").getByText(far.spot_number).waitFor();
      await page.context().close();
    }
  });

  it("has the search and the beginning of its answer in sight of who has no claims", async () => {
    await offerOfTomorrow(await world().person("Neighbour"));
    const seeker = await world().person("Seeker");
    const page = await world().open(seeker, "/?when=tomorrow", PHONE);
    for (let spots = 0; spots <= 3; spots++) {
      if (spots > 0) await registerSpot(seeker);
      await page.reload();
      expect([spots, await isInSight(page, page.locator(".free-row strong").first())]).toEqual([
        spots,
        true,
      ]);
      if (spots > 0) expect(await isInSight(page, page.locator(".own-card").last())).toBe(true);
    }
  });

  it("has what is free beside one's own spots and claims on a desktop", async () => {
    const owner = await world().person("Wide");
    await registerSpot(owner);
    const page = await world().open(owner, "/", { viewport: { width: 1000, height: 700 } });
    await page.locator(".own-card").waitFor();
    const [own, park] = [page.locator(".own"), page.locator(".park")];
    const [left, right] = [await own.boundingBox(), await park.boundingBox()];
    expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 1_000));
    expect(Math.abs((right?.y ?? 0) - (left?.y ?? 1_000))).toBeLessThan(20);
  });

  it("shares all of one's spots for two weeks by three taps, and takes them back", async () => {
    const owner = await world().person("Away");
    await registerSpot(owner);
    await registerSpot(owner);
    const page = await world().open(owner, "/", PHONE);
    await page.getByRole("button", { name: "I am away" }).click();
    const dialog = page.getByRole("dialog", { name: "I am away" });
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Share for this time" }).click();
    await page.locator(".toast", { hasText: "while you are away" }).waitFor();
    const days = (await windowsOf(owner)).map(
      (it) => (Date.parse(it.end_time) - Date.parse(it.start_time)) / 86_400_000,
    );
    expect(days).toEqual([14, 14]);
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone, except").waitFor();
    expect(await windowsOf(owner)).toEqual([]);
  });

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

  it("claims a spot until the morning by two taps, where it is free until then", async () => {
    const { time_zone, at } = aroundNoon();
    await world().setBuilding({ time_zone });
    const owner = await world().person("Nighthawk");
    const { spot } = await offerOf(owner, hours(1), hours(60));
    const evening = await offerOf(owner, at(16), at(23));
    const claimer = await world().person("Overnighter");
    const page = await world().open(claimer);
    await page.getByRole("button", { name: "Tonight" }).click();
    await page.getByText("Today 18:00–23:00, or until tomorrow 08:00").waitFor();
    const short = await freeRow(page, evening.spot.spot_number);
    await short.getByText("18:00 – 23:00").waitFor();
    const row = await freeRow(page, spot.spot_number);
    await row.getByText("18:00 – tomorrow 08:00").waitFor();
    await expectAccessible(page);
    await row.getByRole("button", { name: `Claim ${spot.spot_number}` }).click();

    await row.getByText(`${spot.spot_number} is yours`).waitFor();
    expect(await claimsOf(claimer)).toMatchObject([{ start_time: at(18), end_time: at(32) }]);

    await page.getByRole("button", { name: "Overnight" }).click();
    await page.getByText("Today 20:00 – tomorrow 08:00").waitFor();
    const late = await freeRow(page, evening.spot.spot_number);
    await late.getByText("until 23:00").waitFor();
  });

  it("follows the hours that are typed, one's section first: tomorrow from 14 to 17 by three taps", async () => {
    const owner = await world().person("Owner");
    const claimer = await world().person("Neighbour");
    const section = `Section ${claimer.id}`;
    await registerSpot(claimer, section);
    await offerOfTomorrow(owner);
    const spot = await registerSpot(owner, section);
    await windowOf(owner, spot, hours(1), hours(60));
    const page = await world().open(claimer);
    await page.getByRole("button", { name: "Tomorrow", exact: true }).click();
    await page.getByRole("button", { name: "Other time" }).click();
    await timeField(page, "From").fill("14:00");
    await timeField(page, "Until").fill("17:00");
    const first = page.locator(".free-row").first();
    await first.getByText(spot.spot_number).waitFor();
    await expectAccessible(page);
    await first.getByRole("button", { name: "Claim" }).click();

    await first.getByText(`${spot.spot_number} is yours`).waitFor();
    expect(await claimsOf(claimer)).toMatchObject([claimedFor("14:00", "17:00")]);

    // All that was typed is one step.
    await page.goBack();
    await page.getByRole("button", { name: "Tomorrow", pressed: true }).waitFor();
    await page.getByLabel("Which section comes first").selectOption("Browser first");
    await page.reload();
    await page.locator(".free-row").first().getByText("Browser").waitFor();
  });

  it("shows a favourite first, from the next search on, and to nobody else", async () => {
    const owner = await world().person("Owner");
    const spots = [await offerOf(owner, FROM, UNTIL), await offerOf(owner, FROM, UNTIL)];
    const [other, liked] = spots.map(({ spot }) => spot.spot_number);
    const person = await world().person("Fan");
    const page = await world().open(person, `/?start=${FROM}&end=${UNTIL}`);
    const first = page.locator(".free-row").first();
    await first.getByText(`${other}`).waitFor();
    const star = page.getByRole("button", { name: `Favourite: ${liked}` });
    await star.press("Enter");
    await star.and(page.locator("[aria-pressed=true]")).waitFor();
    // No row moves under the finger.
    await first.getByText(`${other}`).waitFor();
    await expectAccessible(page);

    await page.reload();
    await first.getByText(`${liked}`).waitFor();
    await page.goto(`${world().origin}/spot/${liked}`);
    await star.and(page.locator("[aria-pressed=true]")).click();
    await star.and(page.locator("[aria-pressed=false]")).waitFor();
    expect(await person.read("/favorite-spots")).toEqual([]);
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
    await timeField(dialog, "Until").fill("17:00");
    await dialog.getByRole("button", { name: "Save" }).click();
    await row.getByText("08:00–17:00").waitFor();

    const [claim] = await claimsOf(claimer);
    const body = { status: "cancelled", reason: "The garage is painted" };
    await world().administrator().ask("PUT", `/admin/claims/${claim?.id}`, body);
    await claimButton.waitFor();
    expect(await page.locator(".hero").count()).toBe(0);
  });

  it("shows what is free for a part beside what is free for all of the time, also at the former address", async () => {
    const owner = await world().person("Owner");
    const [whole, until, from] = [
      await offerOf(owner, hours(2_200), hours(2_210)),
      await offerOf(owner, hours(2_190), hours(2_204)),
      await offerOf(owner, hours(2_203), hours(2_220)),
    ];
    const query = `?start=${hours(2_200)}&end=${hours(2_209)}`;
    const page = await world().open(await world().person("Chooser"), `/find${query}`);
    await page.locator(".free-row").first().getByText(whole.spot.spot_number).waitFor();
    const parts = page.locator("section", { hasText: "Free for part of the time" });
    const part = ({ spot }: typeof whole) =>
      parts.locator(".free-row", { hasText: spot.spot_number });
    await part(until)
      .getByText(/^until /)
      .waitFor();
    await part(from)
      .getByText(/^from /)
      .waitFor();
    await page
      .getByRole("status")
      .filter({ hasText: /^1 spot is free, 2 for a part/ })
      .waitFor();
    const { pathname, search } = new URL(page.url());
    expect(pathname + search).toBe(`/${query}`);
  });

  it("leads back from an address with times that do not exist", async () => {
    const page = await world().open(await world().person("Lost"));
    for (const query of ["start=bogus", "end=2030-99-01", "start=9999-12-31T12:00:00Z"]) {
      await page.goto(`${world().origin}/find?${query}`);
      await page.getByText("times that do not exist").waitFor();
      await expectAccessible(page);
      await page.getByRole("link", { name: "See what is free now" }).click();
      await page.getByRole("button", { name: "Now", pressed: true }).waitFor();
    }
  });

  it("shares one's own spot tomorrow by a tap, and takes it back", async () => {
    const owner = await world().person("Sharer");
    const spot = await registerSpot(owner);
    const page = await world().open(owner);
    const card = page.getByRole("listitem").filter({ hasText: spot.spot_number });
    await card.getByText("Not shared now").waitFor();
    await expectAccessible(page);
    await card.getByRole("button", { name: "Share tomorrow" }).click();
    await card.getByRole("img", { name: /^Shared 08:00/ }).waitFor();
    await card.getByText("Shared tomorrow").waitFor();
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
