import type { Page } from "playwright-core";

/** The service carries out the claim that a tap sends, twice under its key, and the page does not hear of it. */
export async function loseAnswers(page: Page): Promise<void> {
  let sent = 0;
  await page.route("**/api/claims", async (route) => {
    if (route.request().method() !== "POST" || ++sent > 2) return route.continue();
    await route.fetch();
    return route.abort("connectionreset");
  });
}
