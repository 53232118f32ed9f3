import { expect, it } from "@jest/globals";
import { alarm, asked, describeWithProvider, firstScreen, signIn } from "./world.ts";

describeWithProvider("signing in at a real provider", (world) => {
  it("survives a reload, and holds in another tab, without asking the provider", async () => {
    const page = await world().signedIn();
    const asks = asked(world(), page, "auth");

    await page.reload();
    await firstScreen(page).waitFor();
    expect(asks).toEqual([]);
    const other = await page.context().newPage();
    await other.goto(world().service.origin);
    await firstScreen(other).waitFor();
  });

  it("asks the person again where the session of the provider has ended", async () => {
    const page = await world().signedIn();
    await page.context().clearCookies();
    await page.evaluate('localStorage.removeItem("tokens")');

    await page.reload();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(await alarm(page).count()).toBe(0);
  });

  it("says why the provider refuses to sign in silently, and signs in by its form", async () => {
    const page = await world().signedIn();

    // This provider insists on the hint, which is kept with the tokens.
    await page.evaluate('localStorage.removeItem("tokens")');
    const other = await page.context().newPage();
    await other.goto(world().service.origin);
    expect(await alarm(other).innerText()).toMatch(
      /^The sign-in service has refused\.\s+id_token mandatory \(invalid_request\)$/,
    );
    await other.getByRole("button", { name: "Sign in" }).click();
    await other.getByRole("button", { name: "Continue" }).click();
    await firstScreen(other).waitFor();
  });

  it("signs out there, too", async () => {
    const page = await world().signedIn();

    await page.getByRole("button", { name: "Account and more" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Logout" }).click();
    await page.getByText("You are disconnected").waitFor();
    await page.goto(world().service.origin);
    await signIn(page);
    await firstScreen(page).waitFor();
  });
});
