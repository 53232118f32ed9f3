import { afterEach, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import {
  alarm,
  describeWithProvider,
  firstScreen,
  openInbox,
  refuseRefreshTokens,
  signIn,
  untilRenewal,
  untilTheEnd,
} from "./world.ts";

/** Each part of a screen that has nothing to show says it. */
const notice = (page: Page) => page.getByText("The sign-in service is not responding").first();

describeWithProvider("while the identity provider does not answer", (world) => {
  // Also where a test fails, or none after it could sign in.
  afterEach(() => world().provider.resume());

  it("a start with tokens that have ended says so, and the page goes on by itself", async () => {
    const page = await world().signedIn();
    await world().provider.pause();

    await page.evaluate(() => {
      const { refreshToken: _gone, ...tokens } = JSON.parse(localStorage.getItem("tokens") ?? "");
      localStorage.setItem("tokens", JSON.stringify({ ...tokens, renewAt: 0, endsAt: 0 }));
    });
    await page.reload();
    await notice(page).waitFor();
    await world().provider.resume();
    await firstScreen(page).waitFor();
  });

  it("an open page says so where it needs another token, and recovers", async () => {
    const page = await world().signedIn();
    await world().provider.pause();
    await untilTheEnd(page);

    await page.getByRole("link", { name: "Inbox" }).click();
    await notice(page).waitFor();
    await world().provider.resume();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Your account was approved").waitFor();
  });

  it("an open page does not leave for its error page", async () => {
    const page = await world().signedIn();
    await refuseRefreshTokens(page);
    await page.route("**/.well-known/**", (route) => route.fulfill({ status: 502, body: "" }));
    const asked = page.waitForResponse("**/.well-known/**");
    await untilRenewal(page);

    await openInbox(page);
    await asked;
    await page.clock.fastForward("00:30");
    await page.getByRole("link", { name: "Board" }).click();
    await notice(page).waitFor();
    expect(page.url()).toBe(`${world().service.origin}/board`);
  });

  it("an open page uses its token to the end", async () => {
    const page = await world().signedIn();
    await world().provider.pause();

    await page.clock.fastForward("59:45");
    await openInbox(page);
    await world().provider.resume();
  });

  it("signing out says that it ended here only", async () => {
    const page = await world().signedIn();
    await world().provider.pause();

    await page.getByRole("button", { name: "Account and more" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("you may still be signed in there").waitFor();
    await page.reload();
    expect(await alarm(page).count()).toBe(0);
    await world().provider.resume();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await firstScreen(page).waitFor();
  });

  it("signing in says so, instead of leaving the page", async () => {
    const page = await world().page();
    await page.goto(world().service.origin);
    await world().provider.pause();

    await page.getByRole("button", { name: "Sign in" }).click();
    await notice(page).waitFor();
    await world().provider.resume();
    await signIn(page);
    await firstScreen(page).waitFor();
  });
});
