import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { codeFor } from "../../support/mail-sign-in.ts";
import { until } from "../../support/waiting.ts";
import { expectAccessible } from "../web/open-page.ts";
import { describeMailSignIn } from "./in-browser.ts";

/** Browsers have no passkeys for an address without a name. */
const BEFORE = { settings: { HOST: "localhost" } };

describeMailSignIn("a passkey in a browser", BEFORE, (world) => {
  const pictures = process.env.PICTURES;

  /**
   * A device that has passkeys, and whose owner unlocks it whenever it asks, and chooses the first
   * passkey that it offers for a field.
   */
  async function withDevice(page: Page): Promise<void> {
    const session = await page.context().newCDPSession(page);
    await session.send("WebAuthn.enable");
    await session.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  }

  const mailed = (address: string, text: string) =>
    until(`a mail with ${text}`, () =>
      world().service.mails.received.some(
        (mail) => mail.to[0] === address && mail.text.includes(text),
      ),
    );

  /** A browser that offers no passkeys for a field. */
  const withoutOffers = "PublicKeyCredential.isConditionalMediationAvailable = async () => false";

  it.each([
    {
      by: "the button",
      locale: "en",
      width: 390,
      height: 844,
      colorScheme: "light",
      words: {
        begin: "Sign in",
        address: "Email address",
        code: "Six-digit code",
        byPasskey: "Sign in with a passkey",
        apartment: "Apartment",
        register: "Register",
        add: "Add a passkey",
        unused: /^added on .* · not used yet$/,
        used: /^added on .* · last used /,
        account: "Account and more",
        out: "Sign out",
        profile: "Profile",
        remove: "Remove the passkey Linux",
        added: "You can now sign in",
        removed: "no longer signs you in",
      },
    },
    {
      by: "the field",
      locale: "de",
      width: 320,
      height: 640,
      colorScheme: "dark",
      words: {
        begin: "Anmelden",
        address: "E-Mail-Adresse",
        code: "Sechsstelliger Code",
        byPasskey: "Mit Passkey anmelden",
        apartment: "Wohnung",
        register: "Registrieren",
        add: "Passkey hinzufügen",
        unused: /^hinzugefügt am .* · noch nicht benutzt$/,
        used: /^hinzugefügt am .* · zuletzt benutzt /,
        account: "Konto und mehr",
        out: "Abmelden",
        profile: "Profil",
        remove: "Passkey Linux entfernen",
        added: "Sie können sich jetzt mit dem Passkey",
        removed: "können Sie sich nicht mehr",
      },
    },
  ] as const)(
    "is added by one press, signs its owner in by $by, and is removed by one press ($locale, $width)",
    async ({ by, words, ...options }) => {
      const { locale, width, height, colorScheme } = options;
      const page = await world().open({
        locale,
        viewport: { width, height },
        colorScheme,
        serviceWorkers: "block",
      });
      await withDevice(page);
      const look = async (name: string) => {
        if (pictures)
          await page.screenshot({
            path: `${pictures}/${name}-${locale}-${width}.png`,
            fullPage: true,
          });
        const wide = await page.evaluate("document.documentElement.scrollWidth");
        expect(wide).toBeLessThanOrEqual(width);
        await expectAccessible(page);
      };
      const press = (name: string) =>
        page.getByRole("button", { name, exact: true }).first().click();
      const address = `petra.${locale}@home.example`;

      await page.goto(world().service.origin);
      await press(words.begin);
      await page.getByLabel(words.address).fill(address);
      await page.keyboard.press("Enter");
      await page.getByLabel(words.code).fill(await codeFor(world().service.mails, address));
      await page.keyboard.press("Enter");
      await page.getByLabel(words.apartment).first().fill("12");
      await press(words.register);

      await page.getByRole("button", { name: words.add }).waitFor();
      await look("none");
      await press(words.add);
      await page.getByText(words.unused).waitFor();
      await mailed(address, words.added);
      await look("added");

      const before = world().service.mails.received.length;
      if (by === "the button") await page.addInitScript(withoutOffers);
      await press(words.account);
      await press(words.out);
      await page.waitForURL(/\/identity\/session\/end/);
      await press(words.out);
      await press(words.begin);
      if (by === "the button") {
        await page.getByRole("button", { name: words.byPasskey }).waitFor();
        await look("sign-in");
        await press(words.byPasskey);
      }
      await page.getByRole("button", { name: words.account }).waitFor();
      expect(world().service.mails.received).toHaveLength(before);

      await page.goto(`${world().service.origin}/profile`);
      await page.getByText(words.used).waitFor();
      await page.getByRole("button", { name: words.remove }).click();
      await page.getByText(words.used).waitFor({ state: "detached" });
      await mailed(address, words.removed);
      await world().complaints.expect("404"); // there was no profile yet
    },
  );
});
