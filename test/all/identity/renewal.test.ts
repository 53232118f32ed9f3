import { expect, it } from "@jest/globals";
import {
  alarm,
  asked,
  describeWithProvider,
  openInbox,
  untilRenewal,
  withdrawRefreshTokens,
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
      await page.getByRole("button", { name: "Save mail choices" }).click();
      await answer;
    }
    await world().provider.setLifetime(3_600);
    expect(renewals.length).toBeLessThan(3);
  });
});
