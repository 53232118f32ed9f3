import { afterEach, it } from "@jest/globals";
import { describeInBrowser, expectAccessible } from "./open-page.ts";

describeInBrowser("a page whose sign-in service does not answer", (world) => {
  afterEach(async () => {
    for (const context of world().browser.contexts()) await context.close();
  });

  it.each([
    ["en-GB", "Sign in", "The sign-in service does not answer"],
    ["de-DE", "Anmelden", "Der Anmeldedienst antwortet nicht"],
  ])("says so in %s, to everybody", async (locale, button, text) => {
    const page = await world().blank({ locale });
    await page.route("**/.well-known/**", (route) => route.abort());
    await page.goto(world().origin);

    await page.getByRole("button", { name: button }).click();
    await page.getByRole("alert").getByText(text).waitFor();
    await expectAccessible(page);
    // The browser prints a message for every failed request.
    await world().complained("ERR_FAILED");
  });
});
