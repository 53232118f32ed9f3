import { afterAll, afterEach, beforeAll, beforeEach, expect } from "@jest/globals";
import type { Browser, BrowserContext } from "playwright-core";
import { describeWithChromium, launchChromium } from "../../support/chromium.ts";
import { type Complaints, complaintsOfPages } from "../../support/complaints.ts";
import { type DemoService, startDemoService } from "../../support/demo-service.ts";
import { PATIENCE_MS } from "../../support/waiting.ts";

/** A service under development, and the browser of a person who opens its pages. */
export interface World {
  readonly origin: string;
  /** A new one for each test. */
  readonly context: BrowserContext;
  /** Waits for complaints that the test expects, such as of a `401`. Others fail it. */
  complained: Complaints["expect"];
}

export const PHONE = { width: 390, height: 844 };

/** Tests in Chromium, where there is one. */
export function describeInBrowser(name: string, tests: (world: World) => void): void {
  describeWithChromium(name, () => {
    let service: DemoService;
    let browser: Browser;
    let context: BrowserContext;
    const complaints = complaintsOfPages();

    beforeAll(async () => {
      service = await startDemoService();
      browser = await launchChromium();
    });
    afterAll(async () => {
      await browser?.close();
      await service?.stop();
    });

    beforeEach(async () => {
      context = await browser.newContext();
      context.setDefaultTimeout(PATIENCE_MS);
      complaints.listenTo(context, isOnThisMachine);
    });
    afterEach(async () => {
      await context.close();
      expect(complaints.unexpected()).toEqual([]);
    });

    tests({
      get origin() {
        return service.origin;
      },
      get context() {
        return context;
      },
      complained: complaints.expect,
    });
  });
}

const isOnThisMachine = (url: URL): boolean =>
  /^(blob:)?http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(url.href) ||
  url.protocol === "data:";
