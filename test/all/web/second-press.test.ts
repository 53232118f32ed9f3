import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { until } from "../../support/waiting.ts";
import { claimOf, claimsOf, FROM, offerOf, UNTIL } from "./offer.ts";
import { describeInBrowser, type Resident, startWatch, stopWatch } from "./open-page.ts";
import { freeRow, placeOf } from "./steps.ts";

const AT_THAT_TIME = `/?start=${FROM}&end=${UNTIL}`;

describeInBrowser("a second press", (world) => {
  const isApproved = async ({ id }: Resident) => {
    const path = `/admin/profiles/${id}`;
    return (await world().administrator().read<{ is_approved: boolean }>(path)).is_approved;
  };

  /** People of these names who wait, and where they are approved. */
  async function waiting(search: string, ...names: readonly string[]) {
    const people: Resident[] = [];
    for (const name of names) people.push(await world().person(`${search} ${name}`, "waiting"));
    const path = `/accounts?show=waiting&search=${search}`;
    const page = await world().open(world().administrator(), path);
    const approve = page.getByRole("button", { name: `Approve ${search}` });
    await approve.nth(names.length - 1).waitFor();
    const states = () => Promise.all(people.map(isApproved));
    return { page, approve, states };
  }

  /** Presses where something is, as a finger does that does not look. */
  const tapAt = (page: Page, { x, y }: { x: number; y: number }) => page.mouse.click(x, y);

  it("of Enter claims no second spot, and the focus is on the first one", async () => {
    const owner = await world().person("Owner");
    await offerOf(owner, FROM, UNTIL);
    await offerOf(owner, FROM, UNTIL);
    const claimer = await world().person("Hasty");
    const page = await world().open(claimer, AT_THAT_TIME);
    await page.locator(".claim-button").first().focus();
    await stopWatch(page);
    await page.keyboard.press("Enter");
    await page.locator(".free-row.answered :focus").waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toContain("is yours");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");

    await page.waitForTimeout(300);
    expect(await claimsOf(claimer)).toHaveLength(1);
    for (const { id } of await claimsOf(claimer)) await claimer.ask("DELETE", `/claims/${id}`);
  });

  it("asks before it claims what overlaps a claim of one's own", async () => {
    const owner = await world().person("Owner");
    const { window } = await offerOf(owner, FROM, UNTIL);
    const { spot } = await offerOf(owner, FROM, UNTIL);
    const claimer = await world().person("Double");
    await claimOf(claimer, window);
    const page = await world().open(claimer, AT_THAT_TIME);
    const button = (await freeRow(page, spot.spot_number)).getByRole("button", { name: "Claim" });
    const asked: string[] = [];
    page.once("dialog", (dialog) => {
      asked.push(dialog.message());
      return dialog.dismiss();
    });
    await button.click();
    await page.waitForTimeout(300);
    expect(asked).toEqual([expect.stringContaining("at this time")]);
    expect(await claimsOf(claimer)).toHaveLength(1);

    page.once("dialog", (dialog) => dialog.accept());
    await button.click();
    await page.locator(".free-row.answered").waitFor();
    expect(await claimsOf(claimer)).toHaveLength(2);
    for (const { id } of await claimsOf(claimer)) await claimer.ask("DELETE", `/claims/${id}`);
  });

  it("approves no second person, and the first can be made to wait again", async () => {
    const { page, approve, states } = await waiting("Twice", "One", "Two");
    const place = await placeOf(approve.first());
    await stopWatch(page);
    await tapAt(page, place);
    await page.getByText("1 account is approved.").waitFor();
    await approve.nth(1).waitFor({ state: "detached" });
    await tapAt(page, place);
    await page.waitForTimeout(300);
    expect(await states()).toEqual([true, false]);

    await startWatch(page);
    await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await approve.nth(1).waitFor();
    expect(await states()).toEqual([false, false]);
  });

  it("undoes one thing, where the next one to undo takes its place", async () => {
    const { page, states } = await waiting("Undone", "One", "Two");
    for (const name of ["One", "Two"])
      await page.getByRole("button", { name: `Approve Undone ${name}` }).click();
    const undo = page.locator(".toast").getByRole("button", { name: "Undo" });
    await undo.nth(1).waitFor();
    const place = await placeOf(undo.nth(1));
    await page.waitForTimeout(1_100); // a toast takes no press in its first second
    await stopWatch(page);
    await tapAt(page, place);
    await undo.nth(1).waitFor({ state: "detached" });
    await tapAt(page, place);
    await page.waitForTimeout(300);
    expect(await states()).toEqual([true, false]);
  });

  it("does nothing to what has moved to another place a moment ago", async () => {
    const { page, approve, states } = await waiting("Moved", "One", "Two", "Three");
    const [first, second] = [await placeOf(approve.nth(0)), await placeOf(approve.nth(1))];
    await stopWatch(page);
    await tapAt(page, first);
    await approve.nth(2).waitFor({ state: "detached" });
    // Where the second was, the third may be now.
    await tapAt(page, second);
    await page.waitForTimeout(300);
    expect(await states()).toEqual([true, expect.any(Boolean), false]);
  });

  it("comes to what somebody has scrolled to, and to what stays where it is meanwhile", async () => {
    const phone = { viewport: { width: 390, height: 500 } };
    const page = await world().open(await world().person("Scroller"), "/board", phone);
    const days = page.locator(".strip [aria-pressed]");
    await days.nth(1).click();
    await days.last().click();
    await page.locator(".strip [aria-pressed=true]").and(days.last()).waitFor();

    const scroll = () => page.evaluate<number>("scrollTo(0, 200), scrollY");
    await until("it is scrolled", async () => (await scroll()) > 100);
    await page.getByRole("link", { name: "Claims" }).click();
    await page.getByRole("heading", { level: 1, name: "Claims" }).waitFor();
  });

  it("comes to what has moved a while ago, whatever moved it", async () => {
    const page = await world().open(await world().person("Patient"), "/claims");
    const find = page.locator(".empty").getByRole("link", { name: "Find a spot" });
    await find.waitFor();
    // The screen that is there: nothing changes.
    await page.getByRole("link", { name: "Claims" }).click();
    const { y } = await placeOf(find);
    await page.evaluate('document.querySelector("h1").firstChild.data = "A title ".repeat(60)');
    await page.evaluate("new Promise((resume) => requestAnimationFrame(() => setTimeout(resume)))");
    expect((await placeOf(find)).y).toBeGreaterThan(y);
    await find.click();
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
  });
});
