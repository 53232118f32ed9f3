import { expect, it } from "@jest/globals";
import type { Route } from "playwright-core";
import { alarm, describeWithProvider, refuseRefreshTokens, untilTheEnd } from "./world.ts";

describeWithProvider("signing out while a token is renewed", (world) => {
  it("wins, and leaves nobody signed in", async () => {
    const page = await world().signedIn();
    // Without a refresh token, the page goes to the provider, which it asks before.
    await refuseRefreshTokens(page);
    const asked = Promise.withResolvers<Route>();
    await page.route("**/.well-known/**", (route) => asked.resolve(route), { times: 1 });
    await untilTheEnd(page);
    const held = await asked.promise;

    await page.getByRole("button", { name: "Account and more" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await held.continue();
    await page.getByRole("button", { name: "Logout" }).waitFor();

    await page.goto(world().service.origin);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(await alarm(page).count()).toBe(0);
    expect(await page.evaluate("localStorage.length")).toBe(0);
  });
});
