import { expect, it } from "@jest/globals";
import type { Route } from "playwright-core";
import { claimOf, offerOf } from "./offer.ts";
import { describeInBrowser, expectAccessible, type Resident } from "./open-page.ts";

describeInBrowser("the page", (world) => {
  /** Somebody with a spot and a claim, so that every screen has something to show. */
  async function settled(): Promise<Resident> {
    const person = await world().person("Settled");
    await offerOf(person);
    const { window } = await offerOf(await world().person("Owner"));
    await claimOf(person, window);
    return person;
  }

  it("prints the board without what operates it", async () => {
    const page = await world().open(await settled(), "/board");
    await page.locator(".board").waitFor();
    expect(await page.locator(".controls").isVisible()).toBe(true);
    await page.emulateMedia({ media: "print" });

    expect(await page.locator(".controls").isVisible()).toBe(false);
    expect(await page.locator(".board").isVisible()).toBe(true);
  });

  it("speaks German with a German browser", async () => {
    const page = await world().open(await settled(), "/", { locale: "de-AT" });
    await page.getByRole("heading", { level: 1, name: "Jetzt" }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
    await page.getByRole("link", { name: "Reserviert" }).click();
    await page.getByRole("button", { name: "Stornieren" }).waitFor();
  });

  it("speaks English with a browser whose languages it does not know", async () => {
    const page = await world().open(await settled(), "/", { locale: "fi-FI" });
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
  });

  it("says that it is offline, keeps what it shows, and goes on by itself", async () => {
    const person = await settled();
    const page = await world().open(person, "/claims");
    const card = page.getByRole("button", { name: "Cancel claim" });
    await card.waitFor();
    await page.context().setOffline(true);
    await page.getByText("You are offline").waitFor();
    expect(await card.isVisible()).toBe(true);
    await card.click();
    expect(await page.getByRole("alert").innerText()).toMatch("The service is not responding");
    await world().complained("ERR_INTERNET_DISCONNECTED");

    await page.context().setOffline(false);
    await page.getByText("You are offline").waitFor({ state: "detached" });
    await page.getByRole("alert").waitFor({ state: "detached" });
    await card.click();
    await page.getByText("Cancelled", { exact: true }).waitFor();
  });

  it("reads again by itself what the service failed to answer", async () => {
    const page = await world().open(await settled(), "/board");
    const fail = (route: Route) => route.fulfill({ status: 500, json: { error: "Failed" } });
    await page.route("**/api/graphql", fail);
    await page.getByRole("link", { name: "Claims" }).click();
    await page.getByRole("button", { name: "Try again" }).first().waitFor();
    await page.unroute("**/api/graphql", fail);

    const now = await page.evaluate<number>("Date.now()");
    await page.clock.setFixedTime(now + 15_000);
    await page.getByRole("button", { name: "Cancel claim" }).waitFor();
    await world().complained("500");
  });

  it("waits as long as the service asks it to, and then goes on", async () => {
    const page = await world().open(await settled(), "/board");
    let refused = 0;
    await page.route("**/api/graphql", async (route) => {
      refused += 1;
      const headers = { "Retry-After": "10", "X-Error-Code": "too_many_requests" };
      const json = { error: "Too many requests" };
      if (refused === 1) await route.fulfill({ status: 429, headers, json });
      else await route.continue();
    });
    await page.getByRole("link", { name: "Claims" }).click();
    const shown = page.getByText(/You have sent many requests/);
    const first = Number.parseInt((await shown.innerText()).replace(/\D+/, ""), 10);
    // It counts down.
    await page.getByText(`Continuing in ${first - 2} s`).waitFor();
    await page.getByRole("button", { name: "Cancel claim" }).waitFor();

    expect(refused).toBe(2);
    await world().complained("429");
  });

  it("renews a token that the service refuses, without anybody noticing", async () => {
    const page = await world().open(await settled(), "/board");
    let refused = 0;
    await page.route("**/api/graphql", async (route) => {
      refused += 1;
      const json = { error: "Authentication required" };
      if (refused === 1) await route.fulfill({ status: 401, json });
      else await route.continue();
    });
    const renewal = page.waitForResponse(/\/identity\/token$/);
    await page.getByRole("link", { name: "Claims" }).click();

    expect((await renewal).status()).toBe(200);
    await page.getByRole("button", { name: "Cancel claim" }).waitFor();
    await world().complained("401");
  });

  it("says that something failed, and tries again when it is asked to", async () => {
    const page = await world().open(await settled(), "/board");
    let broken = true;
    await page.route("**/api/graphql", async (route) => {
      const json = { error: "Internal server error" };
      if (broken) await route.fulfill({ status: 500, json });
      else await route.continue();
    });
    await page.getByRole("link", { name: "Claims" }).click();
    expect(await page.getByRole("alert").innerText()).toMatch("Something went wrong");
    await expectAccessible(page);
    broken = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("button", { name: "Cancel claim" }).waitFor();
    await world().complained("500");
  });
});
