import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { claimOf, offerOf } from "./offer.ts";
import { describeInBrowser, expectAccessible, openLive, signIn } from "./open-page.ts";

/** Far less than the minute after which a page reads again by itself. */
const SOON = { timeout: 30_000 };

describeInBrowser("live updates", (world) => {
  it("update the boards of the claimer and of a third person at once", async () => {
    const { spot, window } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Claimer");
    const [page, other] = [
      await openLive(world(), claimer),
      await openLive(world(), await world().person("Third")),
    ];
    const free = { name: `${spot.spot_number}: Free` };
    await page.getByRole("button", free).waitFor();
    await other.getByRole("button", free).waitFor();

    const claim = await claimOf(claimer, window);
    await page.getByRole("button", { name: `${spot.spot_number}: Yours` }).waitFor(SOON);
    await other.getByRole("button", free).waitFor({ state: "detached", ...SOON });

    await claimer.ask("DELETE", `/claims/${claim.id}`);
    await other.getByRole("button", free).waitFor(SOON);
  });

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
    const page = await world().blank();
    let cuts = 0;
    await page.route("**/api/events", (route) => {
      cuts += 1;
      return cuts <= 2 ? route.abort("connectionreset") : route.continue();
    });
    await page.goto(`${world().origin}/board`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("Email address").fill(owner.email);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForResponse("**/api/events");
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
    const page = await world().blank();
    await page.clock.install();
    const asked = requestsOf(page);
    const isHeard = page.waitForResponse((response) => response.url().endsWith("/api/events"));
    await page.goto(`${world().origin}/board?days=7`);
    await signIn(page, world().administrator().email); // who sees each claim
    await isHeard;
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

  it("come to nine tabs by one stream, and go on when its tab is closed", async () => {
    const { spot, window } = await offerOf(await world().person("Owner"));
    const claimer = await world().person("Claimer");
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
    for (const page of tabs) await free(page).waitFor();
    expect(asked.filter((it) => it.endsWith("/events"))).toEqual([]);

    const claim = await claimOf(claimer, window);
    for (const page of tabs) await free(page).waitFor({ state: "detached", ...SOON });
    await first.close();
    await claimer.ask("DELETE", `/claims/${claim.id}`);
    for (const page of tabs.slice(1)) await free(page).waitFor(SOON);
    expect(asked.filter((it) => it.endsWith("/events"))).toEqual(["GET /api/events"]);
  });
});
