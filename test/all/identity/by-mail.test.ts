import { afterAll, afterEach, beforeAll, expect, it } from "@jest/globals";
import type { Browser } from "playwright-core";
import { withClient } from "../../../src/database/client.ts";
import { describeWithChromium, launchChromium } from "../../support/chromium.ts";
import { complaintsOfPages } from "../../support/complaints.ts";
import { useDatabase } from "../../support/database.ts";
import { codeFor, type MailService, startMailService } from "../../support/mail-sign-in.ts";

describeWithChromium("the sign-in by mail in a browser", () => {
  const database = useDatabase();
  const complaints = complaintsOfPages();
  let service: MailService;
  let browser: Browser;
  beforeAll(async () => {
    await withClient(database.url("postgres"), (owner) =>
      owner.query("update parking.building set name = 'Lindenhof 5', colour = '#b3d334'"),
    );
    service = await startMailService(database);
    browser = await launchChromium();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    expect(complaints.unexpected()).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const pictures = process.env.PICTURES;

  it.each([
    ["en", 390, 844, "light"],
    ["de", 1280, 800, "dark"],
    ["de", 320, 640, "light"],
  ] as const)(
    "asks for an address and a code in %s at %i pixels",
    async (locale, width, height, colorScheme) => {
      const context = await browser.newContext({
        locale,
        viewport: { width, height },
        colorScheme,
      });
      complaints.listenTo(context, ({ origin }) => origin === service.origin);
      const page = await context.newPage();
      const picture = (name: string) =>
        pictures && page.screenshot({ path: `${pictures}/${name}-${locale}-${width}.png` });
      const fits = async () =>
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(
          width,
        );

      await page.goto(service.origin);
      await page
        .getByRole("button", { name: /Sign in|Anmelden/ })
        .first()
        .click();
      await page.getByLabel(/^E-[Mm]ail/).waitFor();
      await picture("address");
      await fits();
      await page.keyboard.type(`maria.${width}@home.example`);
      await page.keyboard.press("Enter");
      await page.getByLabel(/^Code/).waitFor();
      await fits();
      await picture("code");
      await page.keyboard.type("12345");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").waitFor();
      await picture("wrong");
      await page.keyboard.type(await codeFor(service.mails, `maria.${width}@home.example`));
      await page.keyboard.press("Enter");
      await page
        .getByLabel(/^(Apartment|Wohnung)/)
        .first()
        .waitFor();
      expect(new URL(page.url()).pathname).toBe("/");
      await picture("in");
      await complaints.expect("404"); // there is no profile yet
      await complaints.expect("400"); // the wrong code
    },
  );
});
