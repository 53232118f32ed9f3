import { expect, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import type { TestDatabase } from "../../support/database.ts";
import { codeFor, visitorOf } from "../../support/mail-sign-in.ts";
import { requestJson } from "../../support/person.ts";
import { expectAccessible } from "../web/open-page.ts";
import { describeMailSignIn } from "./in-browser.ts";

const BEFORE = {
  prepare: (database: TestDatabase) =>
    withClient(database.url("postgres"), (owner) =>
      owner.query("update parking.building set name = 'Lindenhof 5', colour = '#b3d334'"),
    ),
};

describeMailSignIn("the sign-in by mail in a browser", BEFORE, (world) => {
  it.each([
    ["en", 390, 844, "light"],
    ["de", 1280, 800, "dark"],
    ["de", 320, 640, "light"],
  ] as const)(
    "asks for an address and a code in %s at %i pixels",
    async (locale, width, height, colorScheme) => {
      const page = await world().open({
        locale,
        viewport: { width, height },
        colorScheme,
      });
      const fits = async () =>
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(
          width,
        );
      const isGood = async () => {
        await fits();
        await expectAccessible(page);
      };

      await page.goto(world().service.origin);
      await page
        .getByRole("button", { name: /Sign in|Anmelden/ })
        .first()
        .click();
      await page.getByLabel(/^E-?[Mm]ail/).waitFor();
      await isGood();
      await page.keyboard.type(`maria.${width}@home.example`);
      await page.keyboard.press("Enter");
      await page.getByLabel(/^(Six-digit code|Sechsstelliger Code)/).waitFor();
      await fits();
      await page.keyboard.type("12345");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").waitFor();
      await isGood();
      await page.keyboard.type(await codeFor(world().service.mails, `maria.${width}@home.example`));
      await page.keyboard.press("Enter");
      await page
        .getByLabel(/^(Apartment|Wohnung)/)
        .first()
        .waitFor();
      expect(new URL(page.url()).pathname).toBe("/");
      await world().complaints.expect("404"); // there is no profile yet
      await world().complaints.expect("400"); // the wrong code
    },
  );

  it("goes on in the language that somebody chose on the page", async () => {
    const page = await world().open({ locale: "en" });
    await page.goto(world().service.origin);
    await page.getByText("Deutsch", { exact: true }).click();
    await page.getByRole("button", { name: "Anmelden" }).first().click();
    await page.getByLabel("E-Mail-Adresse").fill("lena@home.example");
    await page.keyboard.press("Enter");
    await page.getByLabel("Sechsstelliger Code").waitFor();
  });

  it("lasts as many days as an administrator says on the page", async () => {
    const visitor = visitorOf(world().service.origin);
    const { access_token: token } = await visitor.signIn("ada@home.example", world().service.mails);
    await requestJson(world().service.origin, "POST", "/api/profile", {
      token,
      body: { apartment_number: "1A" },
    });
    await withClient(world().database.url("postgres"), (owner) =>
      owner.query("update parking.profiles set is_approved = true, is_admin = true"),
    );
    const page = await world().open({ locale: "en" });
    await page.goto(`${world().service.origin}/building`);
    await page.getByRole("button", { name: "Sign in" }).first().click();
    await page.getByLabel("Email address").fill("ada@home.example");
    await page.getByRole("button", { name: "Send me a code" }).click();
    await page.getByLabel("Six-digit code").waitFor();
    await page.keyboard.type(await codeFor(world().service.mails, "ada@home.example", 2));
    await page.keyboard.press("Enter");
    const days = page.getByLabel("For how many days people stay signed in");
    expect(await days.inputValue()).toBe("30");
    await days.fill("90");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The building is saved.").first().waitFor();
    const { rows } = await withClient(world().database.url("postgres"), (owner) =>
      owner.query("select session_days from parking.building"),
    );
    expect(rows).toEqual([{ session_days: 90 }]);
  });
});
