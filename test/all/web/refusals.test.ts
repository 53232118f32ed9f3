import { expect, it } from "@jest/globals";
import type { Page, Route } from "playwright-core";
import { claimOf, offerOf, registerSpot } from "./offer.ts";
import { describeInBrowser, expectAccessible } from "./open-page.ts";

const german = { locale: "de-DE" };
const busy = [503, "service_unavailable", "Service unavailable"] as const;

/** Answers some of the requests as a service would that refuses them. */
async function refuse(
  page: Page,
  path: string,
  [status, code, error]: readonly [number, string, string],
  { seconds, times = 1 }: { readonly seconds?: number; readonly times?: number } = {},
): Promise<void> {
  const headers = {
    "X-Error-Code": code,
    ...(seconds !== undefined && { "Retry-After": String(seconds) }),
  };
  const handle = (route: Route) => route.fulfill({ status, headers, json: { error } });
  await page.route(path, handle, { times });
}

describeInBrowser("a refusal", (world) => {
  async function register(page: Page, number: string): Promise<void> {
    await page.getByRole("button", { name: "Stellplatz eintragen" }).first().click();
    const form = page.getByRole("dialog");
    await form.locator("[name=spot_number]").fill(number);
    await form.locator("[name=building_section]").fill("Browser");
    await form.locator("button[type=submit]").click();
  }
  const alertOf = (page: Page) => page.getByRole("dialog").getByRole("alert");

  it("is in the language of the page", async () => {
    const { spot_number } = await registerSpot(await world().person("First"));
    const page = await world().open(await world().person("Second"), "/spots", german);
    await register(page, spot_number);
    const said = await alertOf(page).innerText();

    expect(said).toBe("Einen Stellplatz mit dieser Nummer gibt es schon.");
    await expectAccessible(page);
    await world().complained("409");
  });

  it("of too long a text names its field, and nothing is cut off before", async () => {
    const page = await world().open(await world().person("Pasting"), "/spots", german);
    await register(page, "9".repeat(33));

    expect(await alertOf(page).innerText()).toBe("Nummer: höchstens 32 Zeichen.");
    expect(await page.locator("[name=spot_number]").inputValue()).toHaveLength(33);
    await world().complained("400");
  });

  it("of a rule of this building is in the building's own words", async () => {
    const page = await world().open(await world().person("Housed"), "/spots", german);
    const words = "Nur drei Plätze je Wohnung";
    await refuse(page, "**/api/parking-spots", [409, "spots_three_at_most", words]);
    await register(page, "H-1");

    expect(await alertOf(page).innerText()).toBe(words);
    await world().complained("409");
  });

  it("because the service is busy is waited out", async () => {
    const page = await world().open(await world().person("Late"), "/spots", german);
    await refuse(page, "**/api/parking-spots", busy, { seconds: 8 });
    await register(page, `late-${process.pid}`);
    await page.getByText(/Der Dienst hat viel zu tun/).waitFor();
    await page.getByText("Ihr Stellplatz ist eingetragen.").waitFor();
  });

  it("because of an hour's limit says when it goes on, and is not waited out", async () => {
    const page = await world().open(await world().person("Hasty"), "/spots", german);
    const many = [429, "too_many_requests", "Too many requests"] as const;
    await refuse(page, "**/api/parking-spots", many, { seconds: 3_000 });
    await register(page, "L-1");

    expect(await alertOf(page).innerText()).toMatch(/so viel getan.* Weiter geht es .*\d\d:\d\d/);
    await world().complained("429");
  });
});

describeInBrowser("a defect of the page", (world) => {
  it("leaves the rest of it, and ways to go on", async () => {
    const page = await world().open(await world().person("Unlucky"), "/claims");
    const json = { notifications: [null], total: 1 };
    await page.route(/\/notifications\?limit=50/, (route) => route.fulfill({ json }), { times: 1 });
    await page.getByRole("link", { name: "Inbox" }).click();
    const broken = page.getByText("This cannot be shown.");
    await broken.waitFor();
    await expectAccessible(page);
    await world().complained("null");

    await page.getByRole("link", { name: "Claims", exact: true }).click();
    await page.getByText("You have no claims at the moment").waitFor();
    expect(await broken.count()).toBe(0);
  });
});

describeInBrowser("a message of the inbox", (world) => {
  it("is read by opening it, with one tap", async () => {
    const owner = await world().person("Owner");
    const { spot, window } = await offerOf(owner);
    const claimer = await world().person("Claimer");
    await claimOf(claimer, window);
    const page = await world().open(owner, "/inbox");
    await page.getByRole("link", { name: `Claimer claimed your spot ${spot.spot_number}` }).click();

    await page.getByRole("heading", { level: 1, name: "Your spots" }).waitFor();
    await page.getByRole("link", { name: "Inbox 1 unread" }).waitFor();
  });

  it("is marked as read with all others, also those that are not shown", async () => {
    const owner = await world().person("Owner");
    const { window } = await offerOf(owner);
    const claimer = await world().person("Claimer");
    for (let count = 0; count < 26; count++) {
      const { id } = await claimOf(claimer, window);
      await claimer.ask("DELETE", `/claims/${id}`);
    }
    const page = await world().open(owner, "/inbox");
    const main = page.getByRole("main");
    // One says that the account was approved.
    await main.getByText("53 unread").waitFor();
    let asked = 0;
    page.on("request", (request) => {
      if (request.method() === "PUT") asked += 1;
    });
    await page.getByRole("button", { name: "Mark all as read" }).click();
    await main.getByText("unread").waitFor({ state: "detached" });
    expect(asked).toBe(1);
    const { body } = await owner.ask<{ total: number }>("GET", "/notifications?is_read=false");
    expect(body.total).toBe(0);
  });
});
