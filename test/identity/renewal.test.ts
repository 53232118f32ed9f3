import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import {
  alarm,
  asked,
  board,
  describeWithProvider,
  openInbox,
  signIn,
  untilRenewal,
} from "./world.ts";

describeWithProvider("renewing tokens at a real provider", (world) => {
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
    await withdrawRefreshTokens(page);

    await untilRenewal(page);
    const back = page.waitForURL((url) => url.searchParams.has("code"));
    await openInbox(page);
    await back;
    expect(await alarm(page).count()).toBe(0);
  });

  /** As the person does it in their account at the provider. It answers 400 then, without a body. */
  async function withdrawRefreshTokens(page: Page): Promise<void> {
    const { request } = page.context();
    const tokens = `${world().provider.issuer}/token`;
    const listed: unknown = await (await request.get(`${tokens}/`)).json();
    if (!Array.isArray(listed)) throw new Error("the provider has no list of tokens");
    for (const { token_hash } of listed) {
      await request.delete(`${tokens}/${encodeURIComponent(token_hash)}`);
    }
  }

  it("is not done for ever where tokens are good for less than the page's margin", async () => {
    await world().provider.setLifetime(20);
    const page = await world().page();
    const redirects = asked(world(), page, "auth");
    const renewals = asked(world(), page, "token");
    await page.goto(world().service.origin);
    await signIn(page);
    await board(page).waitFor();
    await openInbox(page);
    await world().provider.setLifetime(3_600);

    expect(redirects).toHaveLength(2);
    expect(renewals.length).toBeLessThan(4);
  });
});
