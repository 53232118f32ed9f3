import type { Locator, Page } from "playwright-core";

/** The row of a spot in what is free, also where it is not among the first ones. */
export async function freeRow(page: Page, spotNumber: string): Promise<Locator> {
  await page.locator(".free-rows").first().waitFor();
  const more = page.getByRole("button", { name: /^(Show \d+ more|\d+ weitere zeigen)$/ }).first();
  while (await more.isVisible()) await more.click();
  const row = page.locator(".free-row", { hasText: spotNumber });
  await row.waitFor();
  return row;
}
