import { describe, expect, it, jest } from "@jest/globals";
import type { Route } from "playwright-core";
import { createTokenVerifier } from "../../../src/tokens/verifier.ts";
import { SECOND, statusOf } from "../../tokens/provider.ts";
import {
  AUDIENCE,
  alarm,
  asked,
  describeWithProvider,
  firstScreen,
  openInbox,
  refuseRefreshTokens,
  signIn,
  untilRenewal,
  untilTheEnd,
  withdrawRefreshTokens,
} from "./world.ts";

describeWithProvider("a real identity provider", (world) => {
  describe("signing in at a real provider", () => {
    it("survives a reload, and holds in another tab, without asking the provider", async () => {
      const page = await world().signedIn();
      const asks = asked(world(), page, "auth");

      await page.reload();
      await firstScreen(page).waitFor();
      expect(asks).toEqual([]);
      const other = await page.context().newPage();
      await other.goto(world().service.origin);
      await firstScreen(other).waitFor();
    });

    it("says why the provider refuses to sign in silently, and signs in by its form", async () => {
      const page = await world().signedIn();

      // This provider insists on the hint, which is kept with the tokens.
      await page.evaluate('localStorage.removeItem("tokens")');
      const other = await page.context().newPage();
      await other.goto(world().service.origin);
      expect(await alarm(other).innerText()).toMatch(
        /^The sign-in service refused\.\s+id_token mandatory \(invalid_request\)$/,
      );
      await other.getByRole("button", { name: "Sign in" }).click();
      await other.getByRole("button", { name: "Continue" }).click();
      await firstScreen(other).waitFor();
    });

    it("signs out there, too", async () => {
      const page = await world().signedIn();

      await page.getByRole("button", { name: "Account and more" }).click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("button", { name: "Logout" }).click();
      await page.getByText("You are disconnected").waitFor();
      await page.goto(world().service.origin);
      await signIn(page);
      await firstScreen(page).waitFor();
    });
  });

  describe("renewing tokens at a real provider", () => {
    it("is done by the refresh token, without leaving the page", async () => {
      const page = await world().signedIn();
      const [redirects, renewals] = [asked(world(), page, "auth"), asked(world(), page, "token")];

      await untilRenewal(page);
      await openInbox(page);
      expect(redirects).toEqual([]);
      expect(renewals).toEqual([expect.stringContaining("grant_type=refresh_token")]);
    });

    it("leads to the provider where that has withdrawn the refresh token", async () => {
      const page = await world().signedIn();
      await withdrawRefreshTokens(world(), page);

      const back = page.waitForURL((url) => url.searchParams.has("code"));
      await untilRenewal(page);
      await back;
      await openInbox(page);
      expect(await alarm(page).count()).toBe(0);
    });

    it("is not done for each request where tokens are good for less than the page's margin", async () => {
      await world().provider.setLifetime(29);
      const page = await world().signedIn();
      await page.clock.setFixedTime(new Date());
      const renewals = asked(world(), page, "token");

      await page.getByRole("button", { name: "Account and more" }).click();
      await page.getByRole("link", { name: "Profile" }).click();
      for (let count = 0; count < 4; count += 1) {
        const answer = page.waitForResponse((it) => it.request().method() === "PUT");
        await page.getByRole("button", { name: "Save email choices" }).click();
        await answer;
      }
      await world().provider.setLifetime(3_600);
      expect(renewals.length).toBeLessThan(3);
    });
  });

  describe("tokens that the service refuses", () => {
    it.each(["refresh tokens", "redirects"])(
      "are replaced twice, by %s, and then the page says so",
      async (by) => {
        const service = await world().start({ AUTH_AUDIENCE: "https://elsewhere.example" });
        const page = await world().page();
        if (by === "redirects") await refuseRefreshTokens(page);
        const redirects = asked(world(), page, "auth");
        const silent = () => redirects.filter((url) => url.includes("prompt=none"));

        await page.goto(service.origin);
        await signIn(page);
        expect(await alarm(page).innerText()).toMatch(/service does not accept it/);
        expect(silent()).toHaveLength(by === "redirects" ? 2 : 0);

        // A setting may have been mended meanwhile, so a reload tries once.
        const before = silent().length;
        await page.reload();
        await alarm(page).waitFor();
        expect(silent()).toHaveLength(before + 1);
      },
    );
  });

  describe("signing out while a token is renewed", () => {
    it("wins, and leaves nobody signed in", async () => {
      const page = await world().signedIn();
      // Without a refresh token, the page goes to the provider, which it asks before.
      await refuseRefreshTokens(page);
      const asked = Promise.withResolvers<Route>();
      await page.route("**/.well-known/**", (route) => asked.resolve(route), { times: 1 });
      await untilTheEnd(page);
      const pending = await asked.promise;

      await page.getByRole("button", { name: "Account and more" }).click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await pending.continue();
      await page.getByRole("button", { name: "Logout" }).waitFor();

      await page.goto(world().service.origin);
      await page.getByRole("button", { name: "Sign in" }).waitFor();
      expect(await alarm(page).count()).toBe(0);
      expect(await page.evaluate("localStorage.length")).toBe(0);
    });
  });

  describe("an identity provider that changes its key without overlap", () => {
    /** What a new browser gets when the resident signs in. */
    async function newToken(): Promise<string> {
      const page = await world().page();
      const answer = page.waitForResponse((response) => response.url().endsWith("/token"));
      await page.goto(world().service.origin);
      await signIn(page);
      const { access_token } = await (await answer).json();
      return `Bearer ${access_token}`;
    }

    it("may refuse the hint of a tab, which then says so and signs in by its form", async () => {
      const page = await world().signedIn();
      await withdrawRefreshTokens(world(), page);
      await world().provider.rotateKeys();

      await untilRenewal(page);
      expect(await alarm(page).innerText()).toContain("id_token invalid (invalid_request)");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("button", { name: "Continue" }).click();
      // The service may not have the new key yet; then it can be tried again.
      const isBack = page.getByRole("button", { name: /Try again|Account and more/ });
      await isBack.first().waitFor();
    });

    it("is trusted again five seconds later, and its old key is not", async () => {
      const { issuer } = world().provider;
      const now = Date.now;
      let passed = 0;
      const clock = jest.spyOn(Date, "now").mockImplementation(() => now() + passed);
      const verifier = createTokenVerifier({ issuer, audience: AUDIENCE, subIsUuid: false });
      await verifier.refreshKeys();
      await world().provider.rotateKeys();
      const token = await newToken();

      expect(await statusOf(verifier.verify(token))).toBe(401);
      passed += 5 * SECOND;
      expect(await statusOf(verifier.verify(token))).toBe(200);

      await world().provider.rotateKeys();
      passed += 5 * SECOND;
      expect(await statusOf(verifier.verify(await newToken()))).toBe(200);
      expect(await statusOf(verifier.verify(token))).toBe(401);
      clock.mockRestore();
    });
  });
});
