import { expect, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import { codeFor, visitorOf } from "../../support/mail-sign-in.ts";
import { expectAccessible } from "../web/open-page.ts";
import { describeMailSignIn } from "./in-browser.ts";

describeMailSignIn("the address of the sign-in, in a browser", {}, (world) => {
  const pictures = process.env.PICTURES;
  const onDatabase = (sql: string) =>
    withClient(world().database.url("parking_owner"), (client) => client.query(sql));

  it.each([
    {
      locale: "en",
      width: 320,
      height: 640,
      colorScheme: "light",
      words: {
        begin: "Sign in",
        address: "Email address",
        code: "Six-digit code",
        apartment: "Apartment",
        register: "Register",
        change: "Change the address",
        next: "New email address",
        send: "Send the codes",
        codeOf: "Code in the email to",
        elsewhere: "Sign out everywhere else",
        ended: "Signed out everywhere else",
        done: "The address is changed",
        toPage: "Back to the parking spots",
        give: "Give another address",
        reason: "Reason",
        giveNow: "Give this address",
        given: "The new address can be used from tomorrow on.",
      },
    },
    {
      locale: "de",
      width: 1280,
      height: 800,
      colorScheme: "dark",
      words: {
        begin: "Anmelden",
        address: "E-Mail-Adresse",
        code: "Sechsstelliger Code",
        apartment: "Wohnung",
        register: "Registrieren",
        change: "Adresse ändern",
        next: "Neue E-Mail-Adresse",
        send: "Codes schicken",
        codeOf: "Code aus der E-Mail an",
        elsewhere: "Überall sonst abmelden",
        ended: "Überall sonst abgemeldet",
        done: "Die Adresse ist geändert",
        toPage: "Zurück zu den Stellplätzen",
        give: "Andere Adresse geben",
        reason: "Grund",
        giveNow: "Diese Adresse geben",
        given: "Die neue Adresse gilt ab morgen.",
      },
    },
  ] as const)(
    "is changed by its owner with two codes, and given by an administrator ($locale, $width)",
    async ({ words, ...options }) => {
      const { locale, width, height, colorScheme } = options;
      const page = await world().open({
        locale,
        viewport: { width, height },
        colorScheme,
        serviceWorkers: "block",
      });
      const look = async (name: string) => {
        if (pictures)
          await page.screenshot({ path: `${pictures}/${name}-${locale}.png`, fullPage: true });
        const wide = await page.evaluate("document.documentElement.scrollWidth");
        expect(wide).toBeLessThanOrEqual(width);
        await expectAccessible(page);
      };
      const press = (name: string) =>
        page.getByRole("button", { name, exact: true }).first().click();
      const address = `petra.${locale}@home.example`;
      const next = `new.${address}`;

      await page.goto(world().service.origin);
      await press(words.begin);
      await page.getByLabel(words.address).fill(address);
      await page.keyboard.press("Enter");
      await page.getByLabel(words.code).fill(await codeFor(world().service.mails, address));
      await page.keyboard.press("Enter");
      await page.getByLabel(words.apartment).first().fill("12");
      await press(words.register);

      const link = page.getByRole("link", { name: words.change });
      await link.waitFor();
      await look("profile");

      await visitorOf(world().service.origin).signIn(address, world().service.mails);
      await page.getByRole("link", { name: words.elsewhere }).click();
      await page.getByRole("listitem").waitFor();
      await look("elsewhere");
      await press(words.elsewhere);
      await page.getByRole("heading", { name: words.ended }).waitFor();
      await look("signed-out-elsewhere");
      await page.getByRole("link", { name: words.toPage }).click();
      await link.click();
      await page.getByLabel(words.next).fill(next);
      await look("address");
      await press(words.send);
      const codeOf = (whose: string) =>
        page.getByLabel(`${words.codeOf} ${whose}`, { exact: true });
      await codeOf(next).fill(await codeFor(world().service.mails, next));
      await codeOf(address).fill(await codeFor(world().service.mails, address, 4));
      await look("codes");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: words.done }).waitFor();
      await look("done");

      await onDatabase(
        `update parking.profiles set is_approved = true, is_admin = true where email = '${next}'`,
      );
      const other = `other.${locale}@home.example`;
      await onDatabase(
        `with account as (
           insert into identity.accounts (address) values ('${other}') returning id, address
         ), person as (
           insert into private.users (id, email) select id, address from account returning id, email
         )
         insert into parking.profiles (id, email, apartment_number, full_name)
         select id, email, '3A', 'Otto Other ${locale}' from person`,
      );
      await page.getByRole("link", { name: words.toPage }).click();
      await page.getByText(next).locator("visible=true").first().waitFor();
      await page.goto(`${world().service.origin}/accounts?account=${await idOf(other)}`);
      const dialog = page.getByRole("dialog");
      await dialog.getByText(words.give, { exact: true }).click();
      await dialog.getByLabel(words.next).fill(`otto.${locale}@home.example`);
      await dialog.locator("details[open]").getByLabel(words.reason).fill("They lost the mailbox");
      await look("give");
      await press(words.giveNow);
      await page.getByText(words.given).waitFor();
      await world().complaints.expect("404"); // there was no profile yet
      await world().complaints.expect("401", 0); // the page may have asked by the token from before the change
    },
  );

  const idOf = async (address: string): Promise<string> =>
    (await onDatabase(`select id from identity.accounts where address = '${address}'`)).rows[0]?.id;
});
