import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { claimOf, offerOf } from "./offer.ts";
import { describeInBrowser, expectAccessible, openLive } from "./open-page.ts";

/** Far less than the minute after which a page reads again by itself. */
const SOON = { timeout: 30_000 };

describeInBrowser("live updates", (world) => {
  it("announce a message, and count it", async () => {
    const owner = await world().person("Owner");
    const { spot, window } = await offerOf(owner);
    const page = await openLive(world(), owner);
    // The approval is one.
    await page.getByRole("link", { name: "Inbox 1 unread" }).waitFor(SOON);
    await claimOf(await world().person("Claimer"), window);
    await page.getByRole("link", { name: "Inbox 2 unread" }).waitFor(SOON);
    const message = page.getByRole("status").filter({ hasText: spot.spot_number });
    await message.waitFor(SOON);
    await expectAccessible(page);
    await message.getByRole("button", { name: "Open" }).click();
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
  });

  it("go on after the stream was cut", async () => {
    const owner = await world().person("Owner");
    const cut = (it: Page) =>
      it.route("**/api/events", (route) => route.abort("connectionreset"), { times: 2 });
    const page = await openLive(world(), owner, "/board", cut);
    const { spot } = await offerOf(owner);
    await page.getByText(spot.spot_number, { exact: true }).waitFor(SOON);
    await world().complained("ERR_CONNECTION_RESET", 2);
  });

  /** What the page asks of the API from now on. */
  function requestsOf(page: Page): string[] {
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/api/")) asked.push(`${request.method()} ${pathname}`);
    });
    return asked;
  }

  it("cost a board of a week under 40 requests in half an hour, with a claim each 20 seconds", async () => {
    const { spot, window } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Claimer");
    let asked: readonly string[] = [];
    const prepare = async (it: Page) => {
      await it.clock.install();
      asked = requestsOf(it);
    };
    // An administrator sees each claim.
    const page = await openLive(world(), world().administrator(), "/board?days=7", prepare);
    const free = page.getByRole("button", { name: `${spot.spot_number}: Free` });
    await free.waitFor();
    // All of it is one answer.
    expect(asked.filter((it) => /board|availabilities/.test(it))).toEqual(["GET /api/board"]);

    for (let events = 0; events < 90; events += 2) {
      const claim = await claimOf(claimer, window);
      await free.waitFor({ state: "detached", ...SOON });
      await page.clock.fastForward(20_000);
      await claimer.ask("DELETE", `/claims/${claim.id}`);
      await free.waitFor(SOON);
      await page.clock.fastForward(20_000);
    }
    expect(asked.length < 40 ? [] : asked).toEqual([]);
  }, 600_000);

  it("come to the claimer and to nine tabs of a third person, by one stream, and go on when its tab is closed", async () => {
    const { spot, window } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Claimer");
    const own = await openLive(world(), claimer);
    const first = await openLive(world(), await world().person("Reader"));
    const asked = requestsOf(first);
    const tabs = [first];
    for (let tab = 1; tab < 9; tab++) {
      const page = await first.context().newPage();
      page.on("request", (request) => {
        if (request.url().endsWith("/api/events")) asked.push("GET /api/events");
      });
      tabs.push(page);
      await page.goto(`${world().origin}/board`);
    }
    const free = (page: Page) => page.getByRole("button", { name: `${spot.spot_number}: Free` });
    for (const page of [own, ...tabs]) await free(page).waitFor();
    expect(asked.filter((it) => it.endsWith("/events"))).toEqual([]);

    const claim = await claimOf(claimer, window);
    for (const page of tabs) await free(page).waitFor({ state: "detached", ...SOON });
    await own.getByRole("button", { name: `${spot.spot_number}: Yours` }).waitFor(SOON);
    await first.close();
    await claimer.ask("DELETE", `/claims/${claim.id}`);
    for (const page of tabs.slice(1)) await free(page).waitFor(SOON);
    expect(asked.filter((it) => it.endsWith("/events"))).toEqual(["GET /api/events"]);
  });
});
