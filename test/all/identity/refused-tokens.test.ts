import { expect, it } from "@jest/globals";
import {
  alarm,
  asked,
  describeWithProvider,
  firstScreen,
  refuseRefreshTokens,
  signIn,
} from "./world.ts";

describeWithProvider("tokens that the service refuses", (world) => {
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

  it("are replaced by a refresh token, where the service withdrew just that one", async () => {
    const page = await world().signedIn();
    let refused = 0;
    await page.route("**/api/notifications**", async (route) => {
      refused += 1;
      if (refused > 1) await route.continue();
      else await route.fulfill({ status: 401, json: { error: "Authentication required" } });
    });

    await page.getByRole("link", { name: "Inbox" }).click();
    await page.getByText("Your account was approved").waitFor();
    await page.reload();
    await page.getByText("Your account was approved").waitFor();
    expect(await firstScreen(page).count()).toBe(0);
  });
});
