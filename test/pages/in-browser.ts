import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from "@jest/globals";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { readServiceConfig } from "../../src/config/config.ts";
import { createLogger } from "../../src/log/logger.ts";
import { type Service, startService } from "../../src/service.ts";
import { type Complaints, complaintsOfPages } from "../support/complaints.ts";
import { PATIENCE_MS } from "../support/waiting.ts";

/** Where Debian's package puts it. */
const executablePath = "/usr/bin/chromium";
const isThere = existsSync(executablePath);

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
  if (!isThere)
    console.warn(`SKIPPED: ${name} in a browser. There is no Chromium: ${executablePath}`);
  (isThere ? describe : describe.skip)(name, () => {
    let dataDir: string;
    let service: Service;
    let browser: Browser;
    let context: BrowserContext;
    const complaints = complaintsOfPages();

    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), "parking-pages-"));
      const config = readServiceConfig({ PORT: "0", DATA_DIR: dataDir });
      service = await startService(config, createLogger("silent"));
      browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    });
    afterAll(async () => {
      await browser?.close();
      await service?.stop();
      await rm(dataDir, { recursive: true, force: true });
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
