import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { hours } from "../../support/building.ts";
import { claimFor, registerSpot } from "./offer.ts";
import { describeInBrowser, endTokens } from "./open-page.ts";

const now = (page: Page) => page.getByRole("heading", { level: 1, name: "Now" });

/** What the page asks from now on: the kinds and paths of requests. */
function requestsOf(page: Page): readonly string[] {
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    requests.push(`${request.resourceType()} ${pathname}`);
  });
  return requests;
}

describeInBrowser("a returning visit", (world) => {
  it("is one document, and asks the provider nothing", async () => {
    const page = await world().open(await world().person("Sven Soon"));
    await page.getByRole("heading", { name: "Free spots" }).waitFor();
    const requests = requestsOf(page);
    await page.reload();
    await now(page).waitFor();
    await page.locator(".loading").first().waitFor({ state: "detached" });

    expect(requests.filter((it) => it.startsWith("document"))).toEqual(["document /"]);
    expect(requests.filter((it) => it.includes("/identity"))).toEqual([]);
    // The person and the building are known from before.
    expect(requests.filter((it) => /profile|building/.test(it))).toEqual([]);
  });

  it("asks for what it shows while its script loads, once, and paints it at once", async () => {
    const page = await world().open(await world().person("Eve Early"));
    await page.getByRole("heading", { name: "Free spots" }).waitFor();
    // Then all that is kept between visits has come.
    await page.locator(".loading").first().waitFor({ state: "detached" });
    const read = ["/api/parking-spots", "/api/board"];
    const requests = requestsOf(page);
    await page.route(/\/main\.\w+\.js$/, async (route) => {
      // The page has what the index asked for (src/web/begin.ts).
      await page.waitForFunction(
        "globalThis.prefetched && Promise.all(prefetched.answers.values())",
      );
      await route.continue();
    });
    await page.addInitScript(`
      globalThis.paintedLoading = 0;
      const countLoading = () => {
        if (document.querySelector(".loading")) paintedLoading += 1;
        requestAnimationFrame(countLoading);
      };
      requestAnimationFrame(countLoading);
    `);
    await page.reload();
    await now(page).waitFor();
    await page.locator(".loading").first().waitFor({ state: "detached" });
    // What has come is there from the first frame on.
    expect(await page.evaluate("paintedLoading")).toBe(0);

    const asked = requests.filter((it) => read.some((path) => it === `fetch ${path}`));
    // One's own spots are another question at the same path.
    expect(asked.toSorted()).toEqual([
      "fetch /api/board",
      "fetch /api/parking-spots",
      "fetch /api/parking-spots",
    ]);
    // Kept since the last visit: seven at once would wait for one of a browser's six connections.
    for (const path of ["sections", "favorite-spots"])
      expect(requests).not.toContain(`fetch /api/${path}`);
  });

  it.each([
    ["of one's own spots", "/", "own", /\/api\/patterns/, ".own-card"],
    ["of the board", "/board", "board", /\/api\/parking-spots\?/, ".board"],
  ])("reads %s while the part that draws them loads", async (_, path, part, read, drawn) => {
    const owner = await world().person("Olga Owner");
    await registerSpot(owner);
    const page = await world().open(owner, "/profile");
    await page.getByLabel("Full name").waitFor();
    const isAsked = page.waitForRequest(read);
    await page.route(new RegExp(`/${part}\\.\\w+\\.js$`), async (route) => {
      await isAsked;
      await route.continue();
    });
    await page.goto(world().origin + path);
    await page.locator(drawn).first().waitFor();
  });

  it("asks for all of its scripts at once", async () => {
    const page = await world().blank();
    const requests = requestsOf(page);
    await page.goto(world().origin);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    const scripts = requests
      .filter((it) => it.startsWith("script") && !/presses|focus/.test(it)) // these come later
      .map((it) => it.slice(8));
    const preloaded = await page
      .locator('link[rel="modulepreload"]')
      .evaluateAll((links) => links.map((it) => it.getAttribute("href")));

    expect(scripts.toSorted()).toEqual(preloaded.map((it) => (it ?? "").slice(1)).toSorted());
  });

  it("moves nothing that is there already", async () => {
    const resident = await world().person("Stella Still");
    await registerSpot(resident);
    await claimFor(world(), resident, hours(120), hours(124));
    const page = await world().open(resident);
    await page.addInitScript(`
      globalThis.moves = [];
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries()) {
          const what = sources.map(({ node, previousRect, currentRect }) =>
            [node?.className || node?.nodeName, previousRect.y, currentRect.y].join(" "));
          if (!hadRecentInput) moves.push({ value, what });
        }
      }).observe({ type: "layout-shift", buffered: true });
    `);
    for (const path of ["/", "/board", "/claims", "/spots"]) {
      await page.goto(world().origin + path);
      await page.locator("main h1").waitFor();
      await page.locator(".loading").first().waitFor({ state: "detached" });
      const moves = await page.evaluate<{ value: number }[]>(
        "new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(moves))))",
      );
      const sum = moves.reduce((all, { value }) => all + value, 0);
      expect([path, moves, sum < 0.05]).toEqual([path, moves, true]);
    }
  });

  it("has two tabs renew their tokens once", async () => {
    const resident = await world().person("Tina Two");
    const page = await world().open(resident);
    const other = await page.context().newPage();
    await other.goto(world().origin);
    await now(other).waitFor();
    const renewals = [requestsOf(page), requestsOf(other)];
    await page.evaluate(`
      const stored = JSON.parse(localStorage.getItem("tokens"));
      localStorage.setItem("tokens", JSON.stringify({ ...stored, accessToken: "", endsAt: 0, renewAt: 0 }));
    `);
    await Promise.all([page.reload(), other.reload()]);
    await Promise.all([page, other].map((it) => it.getByRole("link", { name: "Claims" }).click()));
    await Promise.all([page, other].map((it) => it.locator(".empty").first().waitFor()));

    const all = renewals.flat();
    expect(all.filter((it) => it.endsWith("/identity/token"))).toHaveLength(1);
    expect(all.filter((it) => it.startsWith("document"))).toEqual(["document /", "document /"]);
  });

  it("goes through the provider where that gives no refresh token", async () => {
    const page = await world().open(await world().person("Rita Redirected"), "/claims");
    await endTokens(page);
    await page.evaluate(`
      const { refreshToken, ...stored } = JSON.parse(localStorage.getItem("tokens"));
      localStorage.setItem("tokens", JSON.stringify(stored));
    `);
    const requests = requestsOf(page);
    await page.reload();
    await page.locator(".empty").first().waitFor();

    expect(requests).toContain("document /identity/auth");
    expect(new URL(page.url()).pathname).toBe("/claims");
  });

  it("shows the person who signed in last, in every tab", async () => {
    const page = await world().open(await world().person("Fay First"), "/profile");
    await page.getByLabel("Full name").waitFor();
    // Somebody else signs in elsewhere, and another tab of this browser gets their tokens.
    const elsewhere = await world().open(await world().person("Sue Second"));
    const tokens = await elsewhere.evaluate('localStorage.getItem("tokens")');
    const other = await page.context().newPage();
    await other.goto(`${world().origin}/docs/`);
    await other.evaluate(`localStorage.setItem("tokens", ${JSON.stringify(tokens)})`);

    await page.getByText("Sue Second").first().waitFor({ state: "attached" });
    expect(await page.getByLabel("Full name").inputValue()).toBe("Sue Second");
    expect(await page.getByText("Fay First").count()).toBe(0);
    expect(await page.evaluate('localStorage.getItem("kept")')).not.toContain("Fay First");
  });
});
