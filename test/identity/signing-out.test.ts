import { expect, it } from "@jest/globals";
import type { Route } from "playwright-core";
import { alarm, describeWithProvider, refuseRefreshTokens, untilTheEnd } from "./world.ts";

describeWithProvider("signing out while a token is renewed", (world) => {
  it.each(["token", ".well-known"])("leaves nobody signed in (%s)", async (endpoint) => {
    const page = await world().signedIn();
    if (endpoint === ".well-known") {
      // Without a refresh token, the page goes to the provider.
      await refuseRefreshTokens(page);
    }
    const asked = Promise.withResolvers<Route>();
    await page.route(`**/${endpoint}**`, (route) => asked.resolve(route), { times: 1 });
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
