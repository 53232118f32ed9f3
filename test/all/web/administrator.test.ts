import { expect, it } from "@jest/globals";
import { lazy } from "../../../src/lazy.ts";
import type { Spot } from "../../support/building.ts";
import { messagesOf, registerSpot } from "./offer.ts";
import { describeInBrowser, expectAccessible, type Resident, tabTo } from "./open-page.ts";
import { PHONE } from "./steps.ts";

interface Account {
  readonly email: string;
  readonly is_approved: boolean;
  readonly rejection_reason?: string;
}

describeInBrowser("the screens of an administrator", (world) => {
  const openAsAdministrator = (path: string, options = {}) =>
    world().open(world().administrator(), path, options);
  const onPhone = { ...PHONE, hasTouch: true };
  const accountOf = ({ id }: Resident) =>
    world().administrator().read<Account>(`/admin/profiles/${id}`);
  const waiting = async (...names: readonly string[]) => {
    const people = [];
    for (const name of names) people.push(await world().person(name, "waiting"));
    return people;
  };

  it("approves all who wait, by keyboard alone", async () => {
    const people = await waiting("Keyboard <b>One</b>", "Keyboard Two", "Keyboard Three");
    const page = await openAsAdministrator("/accounts?search=keyboard");
    await page.getByText("Keyboard <b>One</b>").waitFor();
    await expectAccessible(page);
    await tabTo(page, ".bulk input");
    await page.keyboard.press("Space");
    await page.getByText("3 selected").waitFor();
    await tabTo(page, ".bulk button");
    await page.keyboard.press("Enter");

    await page.getByText("3 accounts are approved.").waitFor();
    for (const person of people) expect((await accountOf(person)).is_approved).toBe(true);
    // The next Tab goes on from the screen, not from the top of the page.
    await page.locator("h1:focus").waitFor();
    await expectAccessible(page);
  });

  it("names the account that cannot be approved, and approves the others", async () => {
    const gone = await world().person("Partly Gone", "waiting");
    const there = await world().person("Partly There", "waiting");
    const page = await openAsAdministrator("/accounts?show=waiting&search=partly");
    await page.getByLabel("Select all 2").check();
    const erase = lazy(() =>
      world().administrator().ask("DELETE", `/admin/profiles/${gone.id}?reason=Moved%20out`),
    );
    // Between the press and what it asks for: the page hears of it, and its list would be another.
    await page.route("**/api/admin/profiles/*", async (route) => {
      await erase();
      await route.continue();
    });
    await page.getByRole("button", { name: "Approve", exact: true }).first().click();

    await page.getByText("1 account is approved.").waitFor();
    expect(await page.getByRole("alert").innerText()).toBe(
      "Not done for Partly Gone: This account was erased",
    );
    expect((await accountOf(there)).is_approved).toBe(true);
    await world().complained("403");
  });

  it("gives and takes rights, and shows why the last administrator keeps theirs", async () => {
    const resident = await world().person("Rights");
    const page = await openAsAdministrator("/accounts?search=rights");
    await page.getByRole("button", { name: "Manage Rights" }).click();
    await page.getByLabel("Administrator: may do what you do").check();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The rights of Rights are saved.").waitFor();
    expect(await accountOf(resident)).toMatchObject({ is_approved: true, is_admin: true });

    await page.getByRole("button", { name: "Manage Rights" }).click();
    await page.getByLabel("Administrator: may do what you do").uncheck();
    await page.getByLabel(/^Concierge:/).check();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await accountOf(resident)).toMatchObject({
      is_approved: true,
      is_admin: false,
      is_concierge: true,
    });

    await page.goto(`${world().origin}/accounts?account=${world().administrator().id}`);
    await page.getByLabel("Administrator: may do what you do").uncheck();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    expect(await page.getByRole("alert").innerText()).toBe(
      "The last administrator cannot be removed",
    );
    await world().complained("409");
  });

  it("erases personal data, and asks for the reason", async () => {
    const resident = await world().person("Leaver");
    const page = await openAsAdministrator(`/accounts?account=${resident.id}`);
    const dialog = page.getByRole("dialog", { name: "Leaver" });
    await dialog.getByText("Erase personal data").click();
    await dialog.getByRole("button", { name: "Erase for good" }).click();
    expect((await accountOf(resident)).email).toBe(resident.email);

    await dialog.getByRole("textbox", { name: "Reason" }).fill("Moved out");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Erase for good" }).click();
    await page.getByText("The personal data is erased.").waitFor();
    expect((await accountOf(resident)).email).toBe(`${resident.id}@erased.invalid`);
  });

  it("verifies several spots at once, and takes one back", async () => {
    const owner = await world().person("Verified Owner");
    const spots = [await registerSpot(owner), await registerSpot(owner)] as const;
    const isVerified = async (id: string) =>
      (await owner.read<Spot>(`/parking-spots/${id}`)).is_verified;
    const page = await openAsAdministrator("/verification?search=verified+owner");
    // Without events and while no time passes, the page reads again only what it has changed itself.
    await page.route("**/api/events", (route) => route.fulfill({ status: 204 }));
    await page.reload();
    await page.clock.setFixedTime(new Date());
    let reads = 0;
    for (const { spot_number } of spots) await page.getByLabel(`Select ${spot_number}`).check();
    await page.getByText("2 selected").waitFor();
    await expectAccessible(page);
    page.on("request", (request) => {
      if (request.url().includes("/api/parking-spots?")) reads += 1;
    });
    await page.getByRole("button", { name: "Verify", exact: true }).first().click();
    await page.getByText("2 spots are verified.").waitFor();
    for (const { id } of spots) expect(await isVerified(id)).toBe(true);
    await page.getByText("Nothing matches").waitFor();
    expect(reads).toBe(1);

    await page.getByRole("button", { name: /^Verified \d/ }).click();
    await page.getByRole("button", { name: `Manage ${spots[0].spot_number}` }).click();
    await page.getByRole("button", { name: "Take back the verification" }).click();
    await page.getByText(`${spots[0].spot_number} is no longer verified.`).waitFor();
    expect(await isVerified(spots[0].id)).toBe(false);
  });

  it("removes a spot, and gives its owner the reason", async () => {
    const owner = await world().person("Former Owner");
    const { id, spot_number } = await registerSpot(owner);
    const page = await openAsAdministrator(`/verification?spot=${id}`);
    const dialog = page.getByRole("dialog", { name: spot_number });
    await dialog.getByText("Remove the spot").click();
    await dialog.getByLabel("Reason").fill("It is a flower bed");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Remove for good" }).click();

    await page.getByText(`${spot_number} is removed.`).waitFor();
    expect((await owner.ask("GET", `/parking-spots/${id}`)).status).toBe(404);
    expect(await messagesOf(owner)).toContain("It is a flower bed");
  });

  it("counts in the menu what waits, and approves people with four taps", async () => {
    const page = await openAsAdministrator("/", onPhone);
    const people = await waiting("Tap One", "Tap Two", "Tap Three");
    const menu = page.getByRole("button", { name: /^Account and more/ });
    await menu.getByText(/^\d+ waiting for you$/).waitFor({ state: "attached" });
    await menu.tap();
    await page.getByRole("link", { name: /^To do/ }).tap();
    await page.getByText("Tap Three").waitFor();
    await expectAccessible(page);
    // The menu says where one is.
    await menu.tap();
    const administration = page.getByRole("navigation", { name: "Administration" });
    await administration.getByText("Administration").waitFor();
    await expectAccessible(page);
    expect(await administration.locator("[aria-current=page]").allInnerTexts()).toEqual([
      expect.stringMatching(/^To do/),
    ]);
    await page.keyboard.press("Escape");
    const accounts = page.locator("section", {
      has: page.getByRole("heading", { name: /^Accounts/ }),
    });
    await accounts.getByLabel(/^Select all/).tap();
    await accounts.getByRole("button", { name: "Approve", exact: true }).first().tap();
    await page.getByText(/accounts are approved/).waitFor();
    for (const person of people) expect((await accountOf(person)).is_approved).toBe(true);
  });

  it("begins with the building, until that has a time zone", async () => {
    await world().setBuilding({ time_zone: "UTC" });
    const page = await openAsAdministrator("/waiting", onPhone);
    await page.getByRole("link", { name: "Building settings" }).last().tap();
    await page.getByLabel("Time zone").selectOption("Europe/Berlin");
    await page.getByRole("button", { name: "Save" }).tap();
    await page.getByText("The building is saved.").waitFor();
    await page.goto(`${world().origin}/waiting`);
    await page.getByRole("heading", { name: "To do", exact: true }).waitFor();
    await page.getByText("Set up the building").waitFor({ state: "detached" });
    await world().setBuilding({ time_zone: "UTC" });
  });

  it("rejects an account with a reason", async () => {
    const person = await world().person("Rita Rejected", "waiting");
    const page = await openAsAdministrator("/waiting");
    await page.getByRole("button", { name: "Reject Rita Rejected" }).click();
    const dialog = page.getByRole("dialog", { name: "Reject Rita Rejected" });
    await expectAccessible(page);
    await dialog.getByLabel("Reason").fill("Nobody of this name lives here");
    await dialog.getByRole("button", { name: "Reject the account" }).click();
    await page.getByText("Rita Rejected is rejected.").waitFor();
    await page.getByRole("button", { name: "Reject Rita Rejected" }).waitFor({ state: "detached" });
    expect((await accountOf(person)).rejection_reason).toBe("Nobody of this name lives here");
  });

  it("deals with a stranger's car", async () => {
    const owner = await world().person("Reporter");
    const spot = await registerSpot(owner);
    const page = await world().open(owner, `/spot/${spot.spot_number}`, onPhone);
    await page.getByRole("button", { name: "Stranger's car" }).tap();
    await page.getByLabel("Number plate of the car (optional)").fill("B-XY 99");
    await page.getByLabel("Note (optional)").fill("A red van");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Report it" }).tap();
    await page.getByText("The administrators know of it.").waitFor();

    const waiting = await openAsAdministrator("/inbox");
    await waiting.getByText("reported a stranger's car (B-XY 99)").first().click();
    await waiting.getByText("A red van").waitFor();
    await expectAccessible(waiting);
    await waiting.getByRole("button", { name: `Done: ${spot.spot_number}` }).click();
    await waiting.getByText(`The report on ${spot.spot_number} has been dealt with.`).waitFor();
    await waiting.getByText("A red van").waitFor({ state: "detached" });
  });
});
