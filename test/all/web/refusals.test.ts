import { expect, it } from "@jest/globals";
import type { Page, Route } from "playwright-core";
import { claimFor, registerSpot } from "./offer.ts";
import { describeInBrowser, expectAccessible } from "./open-page.ts";

const busy = [503, "service_unavailable", "Service unavailable"] as const;
const tooMany = [429, "too_many_requests", "Too many requests"] as const;
const unknown = [401, "authentication_required", "Authentication required"] as const;
const failed = [500, "internal_server_error", "Internal server error"] as const;

/** Answers the next request, or so many, as a service does that refuses it. */
async function refuse(
  page: Page,
  path: string,
  [status, code, error]: readonly [number, string, string],
  { seconds = 0, times = 1 } = {},
): Promise<void> {
  const headers = {
    "X-Error-Code": code,
    ...(seconds > 0 && { "Retry-After": String(seconds) }),
  };
  const handle = (route: Route) => route.fulfill({ status, headers, json: { error } });
  await page.route(path, handle, { times });
}

describeInBrowser("a refusal", (world) => {
  /** The form in which a spot is registered, in German. */
  async function openForm(): Promise<Page> {
    const page = await world().open(await world().person("Owner"), "/spots", { locale: "de-DE" });
    await page.getByRole("button", { name: "Stellplatz eintragen" }).first().click();
    await page.locator("[name=building_section]").fill("Browser");
    return page;
  }
  async function register(page: Page, number: string): Promise<void> {
    await page.locator("[name=spot_number]").fill(number);
    await page.getByRole("dialog").locator("button[type=submit]").click();
  }

  it("is in the language of the page, with the field, the building's own words, or a time", async () => {
    const { spot_number: taken } = await registerSpot(await world().person("First"));
    const tooLong = "9".repeat(33); // nothing is cut off before
    const ofHouse = [409, "spots_three_at_most", "Nur drei Plätze je Wohnung"] as const;
    const page = await openForm();
    for (const [number, answer, words] of [
      [taken, undefined, /^Einen Stellplatz mit dieser Nummer gibt es schon\.$/],
      [tooLong, undefined, /^Nummer: höchstens 32 Zeichen\.$/],
      ["H-1", ofHouse, /^Nur drei Plätze je Wohnung$/],
      // An hour's limit is not waited out.
      ["L-1", tooMany, /so viel getan.* Weiter geht es .*\d\d:\d\d/],
    ] as const) {
      if (answer) await refuse(page, "**/api/parking-spots", answer, { seconds: 3_000 });
      await register(page, number);
      await page.getByRole("dialog").getByRole("alert").filter({ hasText: words }).waitFor();
      expect(await page.locator("[name=spot_number]").inputValue()).toBe(number);
    }
    await expectAccessible(page);
    for (const status of ["400", "409", "429"]) await world().complained(status);
  });

  it("because the service is busy is waited out", async () => {
    const page = await openForm();
    await refuse(page, "**/api/parking-spots", busy, { seconds: 8 });
    await register(page, `late-${process.pid}`);
    await page.getByText(/Der Dienst hat viel zu tun/).waitFor();
    await page.getByText("Ihr Stellplatz ist eingetragen.").waitFor();
  });

  /** Goes to the claims, of which there is one, where the service answers this, once or so often. */
  async function openClaims(
    answer: typeof failed | typeof tooMany | typeof unknown,
    how: { readonly seconds?: number; readonly times?: number } = {},
  ) {
    const person = await world().person("Claimer");
    await claimFor(world(), person);
    const page = await world().open(person, "/board");
    await page.locator(".board").waitFor();
    await refuse(page, "**/api/graphql", answer, how);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole("link", { name: "Claims" }).click();
    return { page, asked, claim: page.getByRole("button", { name: "Cancel claim" }) };
  }

  it("of what is shown is waited out as long as the service asks, which counts down", async () => {
    const { page, asked, claim } = await openClaims(tooMany, { seconds: 10 });
    const shown = page.getByText(/You have sent many requests/);
    const first = Number.parseInt((await shown.innerText()).replace(/\D+/, ""), 10);
    await page.getByText(`Continuing in ${first - 2} s`).waitFor();
    await claim.waitFor();
    expect(asked.filter((it) => it === "/api/graphql")).toHaveLength(2);
    await world().complained("429");
  });

  it("of a token has it renewed, without anybody noticing", async () => {
    const { page, asked, claim } = await openClaims(unknown);
    await claim.waitFor();
    expect(asked).toContain("/identity/token");
    expect(await page.getByRole("alert").count()).toBe(0);
    await world().complained("401");
  });

  it("because something failed is said, and tried again by itself", async () => {
    const { page, claim } = await openClaims(failed, { times: 1_000 });
    expect(await page.getByRole("alert").innerText()).toMatch("Something went wrong");
    await expectAccessible(page);
    await page.unroute("**/api/graphql");
    const now = await page.evaluate<number>("Date.now()");
    await page.clock.setFixedTime(now + 15_000);
    await claim.waitFor();
    await world().complained("500");
  });

  it("because something failed is tried again when somebody asks", async () => {
    const { page, claim } = await openClaims(failed, { times: 1_000 });
    const again = page.getByRole("button", { name: "Try again" });
    await again.waitFor();
    await page.unroute("**/api/graphql");
    await again.click();
    await claim.waitFor();
    await world().complained("500");
  });
});
