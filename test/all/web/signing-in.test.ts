import { expect, it } from "@jest/globals";
import { describeInBrowser, endTokens, expectAccessible, signIn } from "./open-page.ts";

/** A browser in which a person lets no site store anything. */
const forbidden = `
  for (const name of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(globalThis, name, {
      get() { throw new DOMException("Access is denied for this document.", "SecurityError"); },
    });
  }
`;
/** A browser in which other pages have left no room. */
const full = `
  Storage.prototype.setItem = new Proxy(Storage.prototype.setItem, {
    apply(set, storage, given) {
      if (storage === localStorage) throw new DOMException("It is full.", "QuotaExceededError");
      return Reflect.apply(set, storage, given);
    },
  });
`;

describeInBrowser("signing in to the page", (world) => {
  it("shows strangers nothing but how to sign in", async () => {
    const page = await world().blank();
    await page.goto(`${world().origin}/claims`);

    expect(await page.getByRole("heading", { level: 1 }).innerText()).toMatch(/space is free/);
    await expectAccessible(page);
  });

  it.each([
    ["en-GB", "Sign in", "The sign-in service is not responding"],
    ["de-DE", "Anmelden", "Der Anmeldedienst antwortet nicht"],
  ])("says in %s that the sign-in service does not answer", async (locale, button, text) => {
    const page = await world().blank({ locale });
    await page.route("**/.well-known/**", (route) => route.abort());
    await page.goto(world().origin);

    await page.getByRole("button", { name: button }).click();
    await page.getByRole("alert").getByText(text).waitFor();
    await expectAccessible(page);
    // The browser prints a message for every failed request.
    await world().complained("ERR_FAILED");
  });

  it("returns to the screen at whose address it began, and survives a reload there", async () => {
    const resident = await world().person("Ines Returning");
    const page = await world().open(resident, "/profile?from=elsewhere");
    const heading = page.getByRole("heading", { level: 1, name: "Profile" });
    await heading.waitFor();
    expect(new URL(page.url()).pathname).toBe("/profile");
    expect(new URL(page.url()).search).toBe("?from=elsewhere");

    await page.reload();
    await heading.waitFor();
    expect(await page.getByLabel("Full name").inputValue()).toBe("Ines Returning");
  });

  it("signs out at the provider, too, and in every tab", async () => {
    const page = await world().open(await world().person("Olga Out"));
    const other = await page.context().newPage();
    await other.goto(world().origin);
    await other.getByRole("heading", { level: 1, name: "Now" }).waitFor();

    await page.getByRole("button", { name: "Account and more" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await other.getByRole("button", { name: "Sign in" }).waitFor();
  });

  it("withdraws the refresh token with which the page would have gone on", async () => {
    const page = await world().open(await world().person("Rita Revoked"));
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
    const { refreshToken } = JSON.parse(await page.evaluate("localStorage.getItem('tokens')"));
    const revoked = page.waitForResponse((response) => response.url().endsWith("/revocation"));

    await page.getByRole("button", { name: "Account and more" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    expect((await revoked).request().postData()).toContain(`token=${refreshToken}`);
    expect((await revoked).status()).toBe(200);
    await page.getByRole("button", { name: "Sign out" }).waitFor();
  });

  it("asks the person to sign in again when the tokens and the session of the provider have ended", async () => {
    const resident = await world().person("Ella Ended");
    const page = await world().open(resident);
    await page.context().clearCookies();
    await endTokens(page);
    await page.reload();

    await signIn(page, resident.email);
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
    // The refresh token was refused.
    await world().complained("400");
  });

  it("leads a new person from registering to the first screen", async () => {
    const page = await world().open(await world().person("Nia New", "unregistered"));
    // GET /profile says 404, and the browser prints a message for every failed request.
    await world().complained("404");
    await page.getByLabel("Apartment").fill("12");
    await page.getByLabel("Full name (optional)").fill("<b>Nia</b> New");
    await page.getByLabel("Phone number (optional)").waitFor();
    await page.getByRole("button", { name: "Register" }).click();
    await page.getByText("Your account is waiting for approval").waitFor();
    await expectAccessible(page);

    const administrator = world().administrator();
    const { body } = await administrator.ask<{ profiles: { id: string; full_name: string }[] }>(
      "GET",
      "/admin/profiles?is_approved=false",
    );
    const id = body.profiles.find(({ full_name }) => full_name === "<b>Nia</b> New")?.id;
    await administrator.ask("PUT", `/admin/profiles/${id}`, { is_approved: true });
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
    await page.getByRole("button", { name: "Account and more" }).click();
    expect(await page.getByText("<b>Nia</b> New").isVisible()).toBe(true);
  });

  it("begins anew where the browser shows a page again and somebody else has signed in", async () => {
    const page = await world().open(await world().person("Flora First"));
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
    const again = page.waitForNavigation();
    // What is kept is changed by the page itself, which hears nothing of that, as a page in the history.
    await page.evaluate(`
      const tokens = JSON.parse(localStorage.getItem("tokens"));
      localStorage.setItem("tokens", JSON.stringify({ ...tokens, subject: "somebody else" }));
      dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    `);
    await again;
  });

  it("says so where the browser keeps nothing for it", async () => {
    const page = await world().blank();
    await page.addInitScript(forbidden);
    await page.goto(world().origin);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Your browser does not let this page store anything").waitFor();
  });

  it("lets people in and out where the browser has no room", async () => {
    const resident = await world().person("Fay Full");
    const page = await world().blank();
    await page.addInitScript(full);
    await page.goto(`${world().origin}/claims`);
    await signIn(page, resident.email);
    await page.getByText("You have no claims at the moment").waitFor();
    await page.getByRole("link", { name: "Now" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();

    await page.getByRole("button", { name: "Account and more" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
  });

  it("starts with stored values that it cannot read as with none", async () => {
    const resident = await world().person("Nora Nonsense");
    const page = await world().open(resident);
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
    await page.evaluate(`
      for (const name of ["tokens", "kept", "provider"]) localStorage.setItem(name, "{");
    `);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
  });
});
