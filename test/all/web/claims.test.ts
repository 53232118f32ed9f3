import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { type Claim, hours } from "../../support/building.ts";
import { until } from "../../support/waiting.ts";
import { claimFor, claimOf, claimsOf, offerOf, runningClaim } from "./offer.ts";
import {
  describeInBrowser,
  expectAccessible,
  type Resident,
  startWatch,
  stopWatch,
} from "./open-page.ts";
import { PHONE, placeOf, timeField } from "./steps.ts";

type Booked = Awaited<ReturnType<typeof claimFor>>;

const statesOf = async (claimer: Resident) =>
  (await claimsOf(claimer)).map(({ status }) => status).toSorted();

describeInBrowser("the screen of claims", (world) => {
  const holding = (claimer: Resident, start?: string, end?: string) =>
    claimFor(world(), claimer, start, end);
  /** As after an hour: what the page knows of the building is kept as long. */
  const reloadAnew = async (page: Page) => {
    await page.evaluate('localStorage.removeItem("kept")');
    await page.reload();
  };
  const hero = (page: Page) => page.locator(".hero");
  const row = (page: Page, { spot }: Booked) =>
    page.locator(".claim-row", { hasText: spot.spot_number });
  const undoOf = (page: Page, { spot }: Booked) =>
    page.locator(".toast", { hasText: spot.spot_number }).getByRole("button", { name: "Undo" });
  const madeAt = ({ claim }: Booked) =>
    Number.parseInt(claim.id.replaceAll("-", "").slice(0, 12), 16); // a UUID of version 7

  it("has the next claim large, and the others as rows with a menu", async () => {
    const claimer = await world().person("Claimer");
    const next = await holding(claimer);
    const later = await holding(claimer, hours(45), hours(47));
    const page = await world().open(claimer, "/claims");

    await hero(page).getByText(next.spot.spot_number).waitFor();
    await hero(page).getByText("apartment").waitFor();
    await row(page, later).getByRole("button", { name: "More for" }).click();
    await page.getByRole("button", { name: "Whose spot is it?" }).click();
    await row(page, later).getByText("apartment").waitFor();
    await row(page, later).getByRole("button", { name: "More for" }).click();
    await expectAccessible(page);
  });

  it.each(["hero", "row"])("cancels one claim by two taps at one place of a %s", async (place) => {
    const claimer = await world().person("Tapper");
    const booked = [
      await holding(claimer),
      await holding(claimer, hours(30), hours(31)),
      await holding(claimer, hours(40), hours(41)),
    ] as const;
    const page = await world().open(claimer, "/claims", { ...PHONE, hasTouch: true });
    await hero(page).getByText("apartment").waitFor();
    if (place === "row") {
      await row(page, booked[1]).getByRole("button", { name: "More for" }).tap();
    }
    const cancel = page.getByRole("button", { name: "Cancel claim" }).last();
    await cancel.waitFor();
    const { x, y } = await placeOf(cancel);

    const below = page.locator(".claim-row").last();
    const before = await below.boundingBox();
    await page.touchscreen.tap(x, y);
    await page.waitForTimeout(800);
    // The large claim closes up: what is then at its place does nothing at once.
    if (place === "row") expect(await below.boundingBox()).toEqual(before);
    else expect((await below.boundingBox())?.y).toBeLessThan(before?.y ?? 0);
    await page.touchscreen.tap(x, y);

    await page.getByText("Cancelled", { exact: true }).waitFor();
    await page.locator(".toast", { hasText: "was cancelled" }).waitFor();
    expect(await statesOf(claimer)).toEqual(["active", "active", "cancelled"]);
    await expectAccessible(page);
  });

  it("undoes a cancellation once, also by its toast and its row", async () => {
    const claimer = await world().person("Doubter");
    const booked = await holding(claimer);
    const page = await world().open(claimer, "/claims");
    await hero(page).getByRole("button", { name: "Cancel claim" }).click();
    await undoOf(page, booked).waitFor();
    let asked = 0;
    await page.route("**/api/claims", (route) => {
      if (route.request().method() === "POST") asked += 1;
      return route.continue();
    });
    // Both at once: before anything is drawn anew, as two quick taps are.
    await page.evaluate(`{
      for (const name of [".toast button:not(.plain)", ".hero .small-action"])
        document.querySelector(name).click();
    }`);
    await page.getByText("is yours again").waitFor();
    await hero(page).getByText("apartment").waitFor();
    expect(asked).toBe(1);
    expect(await page.getByText("a neighbour was faster").count()).toBe(0);
    expect(await statesOf(claimer)).toEqual(["active", "cancelled"]);

    // It can be cancelled and undone again.
    await hero(page).getByRole("button", { name: "Cancel claim" }).click();
    await undoOf(page, booked).click();
    await hero(page).getByRole("button", { name: "Cancel claim" }).waitFor();
    expect(asked).toBe(2);
  });

  it("says that a neighbour was faster than the undo", async () => {
    const claimer = await world().person("Slow");
    const booked = await holding(claimer);
    const page = await world().open(claimer, "/claims");
    await hero(page).getByRole("button", { name: "Cancel claim" }).click();
    await undoOf(page, booked).waitFor();
    await claimOf(await world().person("Fast"), booked.window);
    await undoOf(page, booked).click();

    await page.getByText("a neighbour was faster").waitFor();
    await world().complained("400");
  });

  it("says until when a claim can be cancelled, and afterwards why it cannot", async () => {
    await world().setBuilding({ cancellation_cutoff_minutes: 60 });
    const claimer = await world().person("Late");
    const booked = await holding(claimer);
    const page = await world().open(claimer, "/claims");
    const cutoff = new Date(Date.parse(booked.claim.start_time) - 3_600_000).toISOString();
    await hero(page).getByText("Can be cancelled until").getByText(cutoff.slice(11, 16)).waitFor();

    await world().setBuilding({ cancellation_cutoff_minutes: 48 * 60, grace_minutes: 60 });
    await reloadAnew(page);
    const grace = new Date(madeAt(booked) + 3_600_000).toISOString();
    await hero(page).getByText("Can be cancelled until").getByText(grace.slice(11, 16)).waitFor();
    await hero(page).getByRole("button", { name: "Cancel claim" }).waitFor();

    await world().setBuilding({ cancellation_cutoff_minutes: 48 * 60 });
    await reloadAnew(page);
    await hero(page).getByText("It can no longer be cancelled").waitFor();
    expect(await hero(page).getByRole("button", { name: "Cancel claim" }).count()).toBe(0);
    await expectAccessible(page);
  });

  it("reads the limits of the building anew once they refuse what it has offered", async () => {
    const claimer = await world().person("Believer");
    await holding(claimer);
    const noEvents = { contentType: "text/event-stream", body: "" };
    const page = await world().open(claimer, "/claims", {
      prepare: (it) => it.route("**/api/events", (route) => route.fulfill(noEvents)),
    });
    await hero(page).getByText("apartment").waitFor();
    await world().setBuilding({ cancellation_cutoff_minutes: 48 * 60 });
    await hero(page).getByRole("button", { name: "Cancel claim" }).click();

    await hero(page).getByText("It can no longer be cancelled").waitFor();
    expect(await hero(page).getByRole("button", { name: "Cancel claim" }).count()).toBe(0);
    await world().complained("409");
  });

  it("says that what is left of a finished claim is on offer again", async () => {
    await world().setBuilding({ rest_stays_on_offer: true });
    const claimer = await world().person("Early");
    const booked = await runningClaim(await world().person("Owner"), claimer);
    const page = await world().open(claimer, "/claims");
    await hero(page).getByText("left", { exact: false }).waitFor();
    const { height } = (await hero(page).boundingBox()) ?? { height: 0 };
    await hero(page).getByRole("button", { name: "Finish now" }).click();

    await page.locator(".toast", { hasText: "is on offer again" }).waitFor();
    await hero(page).getByText("Finished", { exact: true }).waitFor();
    expect(booked.spot.spot_number).toBe(await hero(page).locator(".hero-spot").innerText());
    // What is left of it says no more than what became of it.
    await hero(page).getByText("is on offer again").waitFor();
    expect((await hero(page).boundingBox())?.height).toBeLessThan(height - 50);
  });

  it("gives a running claim an hour more by one tap, once for two, and takes it back", async () => {
    await world().setBuilding({ rest_stays_on_offer: true });
    const claimer = await world().person("Longer");
    const owner = await world().person("Owner");
    const { claim } = await runningClaim(owner, claimer, hours(2), hours(8));
    const endOf = async () => (await claimer.read<Claim>(`/claims/${claim.id}`)).end_time;
    const page = await world().open(claimer, "/claims");
    const longer = hero(page).getByRole("button", { name: "+1 h" });
    const { x, y } = await placeOf(longer);
    await expectAccessible(page);
    await stopWatch(page);
    await page.mouse.click(x, y);
    await page.locator(".toast", { hasText: "is yours until" }).waitFor();
    await until(
      "the next hour is offered",
      async () =>
        (await longer.getAttribute("aria-label"))?.includes(hours(4).slice(11, 16)) === true,
    );
    await page.mouse.click(x, y);
    await page.waitForTimeout(300);
    expect(await endOf()).toBe(hours(3));

    await startWatch(page);
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await until("the hour is given back", async () => (await endOf()) === hours(2));
  });

  it("gives a running claim what is free, and names the best spot for the hour after", async () => {
    await world().setBuilding({ rest_stays_on_offer: true });
    const claimer = await world().person("Longer");
    const half = hours(2).replace(":00:00", ":30:00");
    const owner = await world().person("Owner");
    const { claim } = await runningClaim(owner, claimer, hours(2), half);
    const page = await world().open(claimer, "/");
    // After midnight a time has its day.
    const [from, to] = [half.slice(11, 16), `${hours(3).slice(11, 13)}:30`];
    const rest = hero(page).getByRole("button", { name: new RegExp(`^Until .*${from}$`) });
    await rest.click();
    await page.locator(".toast", { hasText: "is yours until" }).waitFor();
    await rest.waitFor({ state: "detached" });
    expect(await claimer.read(`/claims/${claim.id}`)).toMatchObject({ end_time: half });

    expect(await hero(page).getByRole("button", { name: "+1 h" }).count()).toBe(0);
    await offerOf(owner, hours(1), hours(9));
    await page.reload();
    await hero(page)
      .getByText(new RegExp(`${from}.*${to}`))
      .waitFor();
    await hero(page)
      .getByRole("button", { name: /^Claim / })
      .click();
    await until("two claims", async () => (await claimsOf(claimer)).length === 2);
    const [next] = (await claimsOf(claimer)).filter(({ id }) => id !== claim.id);
    expect(next?.start_time).toBe(half);
  });

  it("offers no more time than the longest claim allows", async () => {
    const untilEnd = Math.ceil((Date.parse(hours(2)) - Date.now()) / 60_000);
    const longest_claim_minutes = untilEnd + 30;
    await world().setBuilding({ rest_stays_on_offer: true, longest_claim_minutes });
    const claimer = await world().person("Limited");
    await runningClaim(await world().person("Owner"), claimer, hours(2), hours(8));
    const page = await world().open(claimer, "/claims");
    await hero(page)
      .getByRole("button", { name: /^Until / })
      .waitFor();
    expect(await hero(page).getByRole("button", { name: "+1 h" }).count()).toBe(0);
  });

  it("reads earlier claims once they are opened", async () => {
    const claimer = await world().person("Historian");
    const booked = await holding(claimer);
    await claimer.ask("PUT", `/claims/${booked.claim.id}`, { status: "cancelled" });
    const page = await world().open(claimer, "/claims");
    await page.getByText("You have no claims at the moment").waitFor();
    expect(await row(page, booked).count()).toBe(0);
    await page.getByRole("heading", { name: "Earlier" }).click();

    await row(page, booked).getByText("Cancelled").waitFor();
    await expectAccessible(page);
    await row(page, booked).getByRole("link", { name: booked.spot.spot_number }).click();
    await page.getByText("You cancelled it on").waitFor();
    await page.getByRole("link", { name: "All your claims" }).click();
    await page.getByRole("heading", { name: "Earlier" }).waitFor();
  });

  it("shows who cancelled a claim that a link leads to, when, and why", async () => {
    const claimer = await world().person("Cancelled");
    const { claim } = await holding(claimer);
    const body = { status: "cancelled", reason: "The garage is painted" };
    await world().administrator().ask("PUT", `/admin/claims/${claim.id}`, body);
    const page = await world().open(claimer, `/claims?claim=${claim.id}`);

    await page.getByText("An administrator cancelled it on").waitFor();
    await page.getByText("Reason: The garage is painted").waitFor();
    await expectAccessible(page);

    await page.goto(`${world().origin}/claims?claim=018f0000-0000-7000-8000-000000000000`);
    await page.getByText("This claim no longer exists.").waitFor();
    await page.goto(`${world().origin}/claims?claim=a-part-of-a-link`);
    await page.getByText("This claim no longer exists.").waitFor();
  });

  it("leaves the start as it was when only the end is changed, in a repeated hour too", async () => {
    await world().setBuilding({ time_zone: "Europe/Berlin" });
    const claimer = await world().person("Precise");
    const night = lastSundayOfOctober();
    const start = `${night}T01:30:17.000Z`; // 02:30 for the second time
    const end = `${night}T05:00:00.000Z`;
    const owner = await world().person("Owner");
    const { window } = await offerOf(owner, `${night}T00:00:00.000Z`, `${night}T08:00:00.000Z`);
    const made = await claimOf(claimer, { ...window, start_time: start, end_time: end });
    const page = await world().open(claimer, `/claims?changing=${made.id}`);
    const dialog = page.getByRole("dialog");
    await timeField(dialog, "Until").fill("07:00");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Your claim is saved.").waitFor();

    const times = { start_time: start, end_time: `${night}T06:00:00.000Z` };
    expect(await claimer.read(`/claims/${made.id}`)).toMatchObject(times);
  });
});

/** The next day on which the clocks of Berlin show an hour twice. */
function lastSundayOfOctober(): string {
  const now = new Date();
  for (const year of [now.getUTCFullYear(), now.getUTCFullYear() + 1]) {
    const last = new Date(Date.UTC(year, 9, 31));
    last.setUTCDate(31 - last.getUTCDay());
    if (last > now) return last.toISOString().slice(0, 10);
  }
  throw new Error("there is no such day");
}
