import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { alarm, asked, describeWithProvider, openInbox, untilRenewal } from "./world.ts";

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

    const back = page.waitForURL((url) => url.searchParams.has("code"));
    await untilRenewal(page);
    await back;
    await openInbox(page);
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

  it("is not done for each request where tokens are good for less than the page's margin", async () => {
    await world().provider.setLifetime(29);
    const page = await world().signedIn();
    await page.clock.setFixedTime(new Date());
    const renewals = asked(world(), page, "token");

    await openInbox(page);
    for (const next of ["unread", "read", "unread", "read"]) {
      await page.getByRole("button", { name: /^Mark as/ }).click();
      await page.getByRole("button", { name: `Mark as ${next}`, exact: true }).waitFor();
    }
    await world().provider.setLifetime(3_600);
    expect(renewals.length).toBeLessThan(3);
  });
});
