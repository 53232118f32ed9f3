import { describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { answerInstead } from "./network.ts";
import {
  describeInBrowser,
  endTokens,
  expectAccessible,
  openLive,
  type Resident,
  signIn,
} from "./open-page.ts";
import { chooseInMenu, signOut } from "./steps.ts";

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

  it("signs out at the provider, too, in every tab, and withdraws the refresh token", async () => {
    const page = await world().open(await world().person("Olga Out"));
    const other = await page.context().newPage();
    await other.goto(world().origin);
    await other.getByRole("heading", { level: 1, name: "Now" }).waitFor();

    const { refreshToken } = JSON.parse(await page.evaluate("localStorage.getItem('tokens')"));
    const revoked = page.waitForResponse((response) => response.url().endsWith("/revocation"));
    await signOut(page);
    await other.getByRole("button", { name: "Sign in" }).waitFor();
    expect((await revoked).request().postData()).toContain(`token=${refreshToken}`);
    expect((await revoked).status()).toBe(200);
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
    const newcomer = await world().person("Nia New", "unregistered");
    const page = await world().open(newcomer);
    // GET /profile says 404, and the browser prints a message for every failed request.
    await world().complained("404");
    await page.getByLabel("Apartment").fill("12");
    await page.getByLabel("Full name (optional)").fill("<b>Nia</b> New");
    await page.getByLabel("Phone number (optional)").waitFor();
    await page.getByRole("button", { name: "Register" }).click();
    await page.getByText("Your account is waiting for approval").waitFor();
    await expectAccessible(page);

    const administrator = world().administrator();
    const { id } = await newcomer.read<{ id: string }>("/profile");
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
    const prepare = (it: Page) => it.addInitScript(full);
    const page = await world().open(resident, "/claims", { prepare });
    await page.getByText("You have no claims at the moment").waitFor();
    await page.getByRole("link", { name: "Now" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();

    await signOut(page);
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

  describe("as a person who cannot use the building", () => {
    const suspend = (person: Resident) =>
      world().administrator().ask("PUT", `/admin/profiles/${person.id}`, { is_approved: false });

    it("reads that the approval was taken back, also in a page that is open", async () => {
      const person = await world().person("Former Resident");
      const page = await openLive(world(), person, "/claims");
      await page.getByRole("heading", { level: 1, name: "Your claims" }).waitFor();
      // Nothing that it still reads tells it.
      await answerInstead(page, (route) => route.continue());
      await suspend(person);

      // Far less than the minute after which a page reads again by itself.
      const soon = { timeout: 30_000 };
      await page.getByRole("heading", { name: "Your account is no longer approved" }).waitFor(soon);
      await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
      expect(await page.getByText(/waiting for approval/).count()).toBe(0);
      expect(await page.getByRole("link", { name: "Spots" }).count()).toBe(0);
      await expectAccessible(page);

      await page.reload();
      await page.getByRole("heading", { name: "Your account is no longer approved" }).waitFor();
      // None where it heard of it before it asked for anything.
      await world().complained("403", 0);
    });

    it("reads that the account is closed, without an address that nobody has", async () => {
      const person = await world().person("Erased Resident");
      await world()
        .administrator()
        .ask("DELETE", `/admin/profiles/${person.id}?reason=Moved%20out`);
      const page = await world().open(person, "/", { locale: "de-DE" });

      await page.getByRole("heading", { name: "Dieses Konto ist geschlossen" }).waitFor();
      await page.getByRole("button", { name: "Konto und mehr" }).click();
      await page.getByRole("button", { name: "Abmelden" }).waitFor();
      expect(await page.locator("body").innerText()).not.toMatch(/erased|Freigabe|Speichern/);
      await expectAccessible(page);
    });

    it("reads that the account was not approved, and why", async () => {
      const person = await world().person("Unknown Resident", "waiting");
      const reason = "Nobody of this name lives in 2B";
      await world()
        .administrator()
        .ask("PUT", `/admin/profiles/${person.id}`, { rejection_reason: reason });
      const page = await world().open(person);

      await page.getByRole("heading", { name: "Your account was not approved" }).waitFor();
      await page.getByText(`Reason: ${reason}`).waitFor();
      await expectAccessible(page);
    });
  });

  describe("by the welcome", () => {
    const appearance = { name: "Elm <b>Court</b>", mark: "🌳", colour: "#ffe600" };

    it("shows name, mark and colour of the building, so that they can be read in both themes", async () => {
      await world().administrator().ask("PUT", "/admin/building", appearance);
      const page = await world().blank();
      await page.goto(world().origin);
      await page.locator(".welcome").waitFor();
      // Somebody may have asked for the page a moment ago, before the change.
      while ((await page.getByText(appearance.name).count()) === 0) await page.reload();

      await page.getByText(appearance.mark).waitFor();
      expect(await page.evaluate("document.documentElement.style.length")).toBe(3);
      expect(await page.title()).toBe("Sign in · Elm <b>Court</b>");
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await expectAccessible(page);
      }
    });

    it("needs no image, no font and no answer of the API, at any address", async () => {
      const page = await world().blank();
      const kinds: string[] = [];
      page.on("request", (request) => kinds.push(request.resourceType()));
      await page.goto(`${world().origin}/claims`);
      await page.locator(".welcome svg").waitFor();

      expect(new Set(kinds)).toEqual(new Set(["document", "script"]));
    });

    it("changes the language, and keeps it after the sign-in", async () => {
      const person = await world().person("Polyglot");
      const page = await world().blank();
      await page.goto(world().origin);
      await page.getByRole("button", { name: "Deutsch" }).click();
      await page.getByRole("button", { name: "Anmelden" }).waitFor();
      await page.reload();
      await signIn(page, person.email);

      await page.locator("html[lang=de] main#content").waitFor();
      await chooseInMenu(page, "English");
      await page.locator("html[lang=en] main#content").waitFor();
    });
  });
});
