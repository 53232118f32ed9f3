import { it } from "@jest/globals";
import type { Page } from "playwright-core";
import { describeInBrowser, signIn } from "./open-page.ts";

/** As where a person lets no site keep anything. */
const forbidden = `
  for (const name of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(globalThis, name, {
      get() { throw new DOMException("Access is denied for this document.", "SecurityError"); },
    });
  }
`;
/** As where other pages have left no room. */
const full = `
  Storage.prototype.setItem = new Proxy(Storage.prototype.setItem, {
    apply(set, storage, given) {
      if (storage === localStorage) throw new DOMException("It is full.", "QuotaExceededError");
      return Reflect.apply(set, storage, given);
    },
  });
`;

describeInBrowser("a browser that keeps nothing for the page", (world) => {
  const now = (page: Page) => page.getByRole("heading", { level: 1, name: "Now" });

  it("says so, where it forbids that", async () => {
    const page = await world().blank();
    await page.addInitScript(forbidden);
    await page.goto(world().origin);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Your browser keeps nothing for this page").waitFor();
  });

  it("lets people in and out, where it has no room", async () => {
    const resident = await world().person("Fay Full");
    const page = await world().blank();
    await page.addInitScript(full);
    await page.goto(`${world().origin}/claims`);
    await signIn(page, resident.email);
    await page.getByText("You have no claims at the moment").waitFor();
    await page.getByRole("link", { name: "Now" }).first().click();
    await now(page).waitFor();

    await page.getByRole("button", { name: "Account and more" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
  });

  it("starts with what it cannot read, as with nothing", async () => {
    const resident = await world().person("Nora Nonsense");
    const page = await world().open(resident);
    await now(page).waitFor();
    await page.evaluate(`
      for (const name of ["tokens", "kept", "provider"]) localStorage.setItem(name, "{");
    `);
    await page.reload();
    await now(page).waitFor();
  });
});
