import { afterAll, afterEach, beforeAll, expect } from "@jest/globals";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { describeWithChromium, launchChromium } from "../../support/chromium.ts";
import { type Complaints, complaintsOfPages } from "../../support/complaints.ts";
import { type TestDatabase, useDatabase } from "../../support/database.ts";
import { type MailService, startMailService } from "../../support/mail-sign-in.ts";

/** A service that signs people in by mail, and a browser. */
export interface MailWorld {
  readonly service: MailService;
  readonly database: TestDatabase;
  readonly complaints: Complaints;
  /** A page that asks the service, and nobody else. */
  open(options: BrowserContextOptions): Promise<Page>;
}

interface Before {
  readonly settings?: Parameters<typeof startMailService>[1];
  /** What the database has when the service starts. */
  readonly prepare?: (database: TestDatabase) => Promise<unknown>;
}

export function describeMailSignIn(
  title: string,
  { settings, prepare }: Before,
  tests: (world: () => MailWorld) => void,
): void {
  describeWithChromium(title, () => {
    const database = useDatabase();
    const complaints = complaintsOfPages();
    let service: MailService;
    let browser: Browser;
    beforeAll(async () => {
      await prepare?.(database);
      service = await startMailService(database, settings);
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

    tests(() => ({
      service,
      database,
      complaints,
      async open(options) {
        const context = await browser.newContext(options);
        complaints.listenTo(context, ({ origin }) => origin === service.origin);
        return context.newPage();
      },
    }));
  });
}
