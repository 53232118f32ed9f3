import { expect, it } from "@jest/globals";
import { describeInBrowser, expectAccessible } from "./open-page.ts";

describeInBrowser("the welcome", (world) => {
  const appearance = { name: "Elm <b>Court</b>", mark: "🌳", colour: "#ffe600" };
  const set = (body: object) => world().administrator().ask("PUT", "/admin/building", body);

  async function open(options = {}) {
    const page = await world().blank(options);
    await page.goto(world().origin);
    await page.locator(".welcome").waitFor();
    return page;
  }

  it.each(["light", "dark"] as const)(
    "shows name, mark and colour of the building in %s colours, so that they can be read",
    async (colorScheme) => {
      await set(appearance);
      const page = await open({ colorScheme });
      // Somebody may have asked for the page a moment ago, before the change.
      while ((await page.getByText(appearance.name).count()) === 0) await page.reload();

      await page.getByText(appearance.mark).waitFor();
      expect(await page.evaluate("document.documentElement.style.length")).toBe(3);
      expect(await page.title()).toBe("Sign in · Elm <b>Court</b>");
      await expectAccessible(page);
    },
  );

  it("names the spot whose sign led here", async () => {
    const page = await world().blank();
    await page.goto(`${world().origin}/spot/A-101`);
    await page.getByText("Sign in to see spot A-101.").waitFor();
    await expectAccessible(page);
  });

  it("needs no image, no font and no answer of the API", async () => {
    const page = await world().blank();
    const kinds: string[] = [];
    page.on("request", (request) => kinds.push(request.resourceType()));
    await page.goto(world().origin);
    await page.locator(".welcome svg").waitFor();

    expect(new Set(kinds)).toEqual(new Set(["document", "script"]));
  });

  it("changes the language, and keeps it after the sign-in", async () => {
    const person = await world().person("Polyglot");
    const page = await open();
    await page.getByRole("button", { name: "Deutsch" }).click();
    await page.getByRole("button", { name: "Anmelden" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Anmelden" }).click();
    await page.getByLabel("Email address").fill(person.email);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();

    await page.locator("html[lang=de] main#content").waitFor();
    await page.getByRole("button", { name: "Konto und mehr" }).click();
    await page.getByRole("button", { name: "English" }).click();
    await page.locator("html[lang=en] main#content").waitFor();
  });
});
