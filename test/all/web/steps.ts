import type { Locator, Page } from "playwright-core";

/** The usual phone. */
export const PHONE = { viewport: { width: 390, height: 844 } };

/** Opens the menu of the account, and chooses this. */
export async function chooseInMenu(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: /^(Account and more|Konto und mehr)/ }).click();
  await page.getByRole("button", { name }).click();
}

/** Signs out; the provider asks, too. */
export async function signOut(page: Page): Promise<void> {
  await chooseInMenu(page, "Sign out");
  await page.waitForURL(/\/session\/end/);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
}

/** The field of a time; `From` or `Until`. */
export const timeField = (part: Page | Locator, name: string): Locator =>
  part.getByRole("group", { name }).getByLabel("Time");

/** Types date and time. Where only one day is possible, the date is not asked for. */
export async function fillMoment(part: Page | Locator, name: string, at: string): Promise<void> {
  const [date, time] = [
    part.getByRole("group", { name }).getByLabel("Date"),
    timeField(part, name),
  ];
  await time.waitFor();
  if ((await date.count()) > 0) await date.fill(at.slice(0, 10));
  await time.fill(at.slice(11, 16));
}

export async function fillSpan(part: Page | Locator, from: string, until: string): Promise<void> {
  await fillMoment(part, "From", from);
  await fillMoment(part, "Until", until);
}

/** The row of a spot in what is free, also where it is not among the first ones. */
export async function freeRow(page: Page, spotNumber: string): Promise<Locator> {
  await page.locator(".free-rows").first().waitFor();
  const more = page.getByRole("button", { name: /^(Show \d+ more|\d+ weitere zeigen)$/ }).first();
  while (await more.isVisible()) await more.click();
  const row = page.locator(".free-row", { hasText: spotNumber });
  await row.waitFor();
  return row;
}

/** The middle of a control, in sight, for a finger that presses there again without looking. */
export async function placeOf(control: Locator): Promise<{ x: number; y: number }> {
  // How far down it is depends on the lines of the texts above it: on the hour of the day, and on the font.
  await control.scrollIntoViewIfNeeded();
  const box = await control.boundingBox();
  if (box === null) throw new Error("there is nothing");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** How wide the page is; wider than its window, it scrolls sideways. */
export const widthOf = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth");
