import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { hours } from "../../support/building.ts";
import { until } from "../../support/waiting.ts";
import { claimFor, registerSpot } from "./offer.ts";
import { describeInBrowser } from "./open-page.ts";
import { chooseInMenu } from "./steps.ts";

describeInBrowser("unsaved input", (world) => {
  /** Answers the browser's question each time, and counts how often it came. */
  function answer(page: Page, answers: boolean[]) {
    const asked: string[] = [];
    page.on("dialog", async (dialog) => {
      asked.push(dialog.type());
      if (answers.shift()) await dialog.accept();
      else await dialog.dismiss();
    });
    return asked;
  }

  const nameOf = (page: Page) => page.getByLabel("Full name");

  it("is asked about before another screen is shown, also by the button back", async () => {
    const page = await world().open(await world().person("Typist"), "/claims");
    const asked = answer(page, [false, false, true]);
    await page.getByRole("button", { name: "Account and more" }).click();
    await page.getByRole("link", { name: "Profile" }).click();
    const name = nameOf(page);
    await name.fill("Somebody else");
    await page.getByRole("link", { name: "Spots" }).click();
    expect([asked, new URL(page.url()).pathname]).toEqual([["confirm"], "/profile"]);

    await page.evaluate("history.back()");
    await until("it is asked again", () => asked.length === 2);
    await page.waitForFunction("location.pathname === '/profile'");
    expect(await name.inputValue()).toBe("Somebody else");
    await page.getByRole("link", { name: "Spots" }).click();
    await page.waitForURL(/\/spots$/);
    expect(asked).toEqual(["confirm", "confirm", "confirm"]);
  });

  it("is asked about before the page is left", async () => {
    const page = await world().open(await world().person("Typist"), "/profile");
    const asked = answer(page, [true]);
    await nameOf(page).fill("Somebody else");
    await page.reload();

    expect(asked).toEqual(["beforeunload"]);
    await page.reload();
    expect(asked).toEqual(["beforeunload"]);
  });

  it("is asked about once at signing out, before the session ends", async () => {
    const page = await world().open(await world().person("Leaver"), "/profile");
    const asked = answer(page, [false, true]);
    await nameOf(page).fill("Somebody else");
    await chooseInMenu(page, "Sign out");
    expect(await nameOf(page).inputValue()).toBe("Somebody else");
    await chooseInMenu(page, "Sign out");
    // The provider asks, too.
    await page.waitForURL((url) => url.pathname !== "/profile");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(asked).toEqual(["confirm", "confirm"]);
  });

  it("survives the answer to a form that was closed before", async () => {
    const claimer = await world().person("Hasty");
    const { claim } = await claimFor(world(), claimer);
    await claimFor(world(), claimer, hours(30), hours(31));
    const page = await world().open(claimer, `/claims?changing=${claim.id}`);
    const { promise: isAnswered, resolve: answerIt } = Promise.withResolvers<void>();
    await page.route(`**/api/claims/${claim.id}`, async (route) => {
      if (route.request().method() === "PUT") await isAnswered;
      await route.continue();
    });
    const form = page.getByRole("dialog");
    const guest = form.getByLabel("Guest");
    await guest.fill("Anna");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByRole("button", { name: "Cancel" }).click();
    await form.waitFor({ state: "detached" });
    await page.locator(".claim-row").getByRole("button", { name: "More for" }).click();
    await page.getByRole("button", { name: "Change" }).last().click();
    await guest.fill("Bob");
    answerIt();
    await page.getByText("Your claim is saved.").waitFor();

    expect(await guest.inputValue()).toBe("Bob");
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await form.waitFor({ state: "detached" });
    await page.getByText("Bob").waitFor();
  });

  it("is not asked about once it is saved, or where nothing was typed", async () => {
    const page = await world().open(await world().person("Typist"), "/profile");
    const asked = answer(page, []);
    await nameOf(page).fill("Somebody else");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Your details are saved.").waitFor();
    await page.getByRole("link", { name: "Spots" }).click();
    await page.waitForURL(/\/spots$/);
    await page.goBack();
    await nameOf(page).waitFor();

    expect(asked).toEqual([]);
  });

  it("is asked about at each Escape, also where the browser itself closes the dialog, and not by the button that cancels", async () => {
    const page = await world().open(await world().person("Typist"), "/spots");
    const asked = answer(page, [false, false]);
    await page
      .getByRole("button", { name: /^Register/ })
      .first()
      .click();
    const number = page.getByLabel("Spot number");
    await number.fill("X-1");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await until("it is asked again", () => asked.length === 2);
    await page.locator("dialog[open]").waitFor();
    expect(await number.inputValue()).toBe("X-1");

    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await number.waitFor({ state: "detached" });
    expect([asked.length, new URL(page.url()).search]).toEqual([2, ""]);
  });

  it("is asked about before the page speaks another language", async () => {
    const page = await world().open(await world().person("Typist"), "/profile");
    const asked = answer(page, [false, true]);
    const name = nameOf(page);
    await name.fill("Somebody else");
    await chooseInMenu(page, "Deutsch");

    expect([asked, await name.inputValue()]).toEqual([["confirm"], "Somebody else"]);
    expect(await page.evaluate('localStorage.getItem("language")')).toBeNull();
    await chooseInMenu(page, "Deutsch");
    await page.locator("html[lang=de] main#content").waitFor();
    expect(asked).toEqual(["confirm", "confirm"]);
  });

  it("is taken as people write and paste it: emoji, joiners, a number with marks of direction", async () => {
    const resident = await world().person("Paster");
    const spot = await registerSpot(resident);
    const page = await world().open(resident, "/profile");
    const name = "\u0646\u0631\u06af\u0633\u200c\u062e\u0627\u062a\u0648\u0646";
    await nameOf(page).fill(name);
    const phone = page.getByRole("textbox", { name: "Phone number" });
    await phone.fill("\u202a+49\u00a030\u20111234\u20135\u202c");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Your details are saved.").waitFor();
    await page.reload();
    expect(await phone.inputValue()).toBe("+49 30-1234-5");
    expect(await nameOf(page).inputValue()).toBe(name);

    const notes = "\u267f\ufe0f 4\ufe0f\u20e3 \u{1f468}\u200d\u{1f469}\u200d\u{1f467}";
    await page.goto(`${world().origin}/spots?edit=${spot.id}`);
    await page.getByLabel("For everybody").fill(notes);
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText(notes, { exact: true }).waitFor();
  });

  const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true });
  /** The alert of the form: what the page was still reading fails as well, and says so in its place. */
  const refusal = (page: Page) => page.locator("form").getByRole("alert");

  /** As if the token had ended, and the refresh token, too. */
  async function endSignIn(page: Page): Promise<void> {
    await page.route("**/identity/token", (route) =>
      route.fulfill({ status: 400, json: { error: "invalid_grant" } }),
    );
    await page.clock.install();
    await page.clock.fastForward("24:00:00");
    // The page reads what has become old.
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
  }

  it("survives where the sign-in has ended: the page does not go to the provider", async () => {
    const page = await world().open(await world().person("Typist"), "/profile");
    const asked = answer(page, []);
    const name = nameOf(page);
    await name.fill("Somebody else");
    const refused = page.waitForResponse("**/identity/token");
    await endSignIn(page);
    await refused;
    await save(page).click();

    expect(await refusal(page).innerText()).toMatch("Copy what you have typed");
    expect([asked, await name.inputValue()]).toEqual([[], "Somebody else"]);
    await world().complained("400");
  });

  it("can be sent again where the provider led nowhere", async () => {
    const page = await world().open(await world().person("Stayer"), "/profile");
    await nameOf(page).waitFor();
    const ways: string[] = [];
    await page.route("**/identity/auth?*", (route) => {
      ways.push(route.request().url());
      return route.fulfill({ status: 204 }); // the browser stays where it is
    });
    await endSignIn(page);
    await until("a way", () => ways.length === 1);
    await page.clock.fastForward(60_000);
    await save(page).click();
    await until("another way", () => ways.length === 2);
    await page.clock.fastForward(60_000);

    expect(await refusal(page).innerText()).toMatch("sign-in service is not responding");
    await world().complained("400");
  });
});
