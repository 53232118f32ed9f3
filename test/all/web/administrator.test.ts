import { expect, it } from "@jest/globals";
import { lazy } from "../../../src/lazy.ts";
import { claimOf, offerOf, registerSpot } from "./offer.ts";
import { describeInBrowser, expectAccessible, type Resident, tabTo } from "./open-page.ts";

interface Account {
  readonly email: string;
  readonly is_approved: boolean;
  readonly is_admin: boolean;
}

describeInBrowser("the screens of an administrator", (world) => {
  const openAsAdministrator = (path: string) => world().open(world().administrator(), path);

  async function accountOf({ id }: Resident): Promise<Account> {
    const path = `/admin/profiles/${id}`;
    return (await world().administrator().ask<{ profile: Account }>("GET", path)).body.profile;
  }

  it("approves all who wait, by keyboard alone", async () => {
    const waiting = [
      await world().person("Keyboard <b>One</b>", "waiting"),
      await world().person("Keyboard Two", "waiting"),
      await world().person("Keyboard Three", "waiting"),
    ];
    const page = await openAsAdministrator("/accounts?search=keyboard");
    await page.getByText("Keyboard <b>One</b>").waitFor();
    await expectAccessible(page);
    await tabTo(page, ".bulk input");
    await page.keyboard.press("Space");
    await page.getByText("3 selected").waitFor();
    await tabTo(page, ".bulk button");
    await page.keyboard.press("Enter");

    await page.getByText("3 accounts are approved.").waitFor();
    for (const resident of waiting) expect((await accountOf(resident)).is_approved).toBe(true);
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
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await accountOf(resident)).toMatchObject({ is_approved: true, is_admin: false });

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
    const isVerified = async (id: string) => {
      const path = `/parking-spots/${id}`;
      return (await owner.ask<{ spot: { is_verified: boolean } }>("GET", path)).body.spot
        .is_verified;
    };
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

  const messagesOf = async (resident: Resident): Promise<string> => {
    const { body } = await resident.ask<{ notifications: { message: string }[] }>(
      "GET",
      "/notifications",
    );
    return body.notifications.map(({ message }) => message).join("\n");
  };

  it("cancels a claim for its people from the board of the garage, by keyboard alone", async () => {
    const { spot, window } = await offerOf(await world().person("Lender"));
    const claimer = await world().person("Borrower");
    const made = await claimOf(claimer, window);
    const page = await openAsAdministrator("/garage?section=Browser");
    const bar = page.getByRole("button", { name: `${spot.spot_number}: Borrower` });
    await bar.waitFor();
    await expectAccessible(page);
    await tabTo(page, "button.slot");
    const hasFocus = () =>
      bar.evaluate((element) => element === element.ownerDocument.activeElement);
    for (let step = 0; step < 40 && !(await hasFocus()); step++) {
      await page.keyboard.press("ArrowDown");
    }
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: spot.spot_number }).waitFor();
    await expectAccessible(page);
    await tabTo(page, `input[name="reason"]`);
    await page.keyboard.type("The lift is broken");
    await page.keyboard.press("Enter");

    await page.getByRole("button", { name: `${spot.spot_number}: Free` }).waitFor();
    const claim = await claimer.ask<{ claim: { status: string } }>("GET", `/claims/${made.id}`);
    expect(claim.body.claim.status).toBe("cancelled");
    expect(await messagesOf(claimer)).toContain("The lift is broken");
  });

  it("leads back from a day of the garage that cannot be read", async () => {
    const page = await openAsAdministrator("/garage");
    await page.locator("button.slot").first().waitFor();
    await page.route("**/api/board?*", (route) => route.abort("internetdisconnected"));
    const days = page.locator(".strip button");
    await days.nth(9).click();
    await page.getByRole("alert").waitFor();
    await days.nth(1).click(); // today, after the arrow
    await page.locator("button.slot").first().waitFor();
    await world().complained("ERR_INTERNET_DISCONNECTED");
  });

  it("withdraws a free window for its owner from the table of the garage", async () => {
    const owner = await world().person("Absent");
    const { spot, window } = await offerOf(owner);
    const page = await openAsAdministrator("/garage?view=table");
    await expectAccessible(page);
    await page.getByRole("button", { name: `Open ${spot.spot_number}` }).click();
    await page.getByLabel("Reason").fill("The gate is being repaired");
    await page.getByRole("button", { name: "Withdraw the time" }).click();

    await page.getByText(`The time of ${spot.spot_number} is withdrawn.`).waitFor();
    expect((await owner.ask("GET", `/availabilities/${window.id}`)).status).toBe(404);
    expect(await messagesOf(owner)).toContain("The gate is being repaired");
  });
});
