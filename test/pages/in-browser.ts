import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest } from "@jest/globals";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { readServiceConfig } from "../../src/config.ts";
import { createLogger } from "../../src/log.ts";
import { type Service, startService } from "../../src/service.ts";

/** Where Debian's package puts it. */
const executablePath = "/usr/bin/chromium";
const isThere = existsSync(executablePath);

/** A service under development, and the browser of a person who opens its pages. */
export interface World {
  readonly origin: string;
  /** A new one for each test. */
  readonly context: BrowserContext;
  /** What the browser complained about. A test takes out what it expects. */
  readonly complaints: string[];
}

export const PHONE = { width: 390, height: 844 };

/** Tests in Chromium, where there is one. After each of them, the browser must have no complaint. */
export function describeInBrowser(name: string, tests: (world: World) => void): void {
  if (!isThere)
    console.warn(`SKIPPED: ${name} in a browser. There is no Chromium: ${executablePath}`);
  jest.setTimeout(60_000);

  (isThere ? describe : describe.skip)(name, () => {
    let dataDir: string;
    let service: Service;
    let browser: Browser;
    let context: BrowserContext;
    let complaints: string[];

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
      complaints = [];
      context = await browser.newContext();
      context.on("request", (request) => {
        if (!isOnThisMachine(request.url())) complaints.push(`asked ${request.url()}`);
      });
      context.on("weberror", (event) => complaints.push(event.error().message));
      // The browser reports here what the content security policy forbids.
      context.on("console", (message) => {
        if (/error|warning/.test(message.type())) complaints.push(message.text());
      });
    });
    afterEach(async () => {
      await context.close();
      expect(complaints).toEqual([]);
    });

    tests({
      get origin() {
        return service.origin;
      },
      get context() {
        return context;
      },
      get complaints() {
        return complaints;
      },
    });
  });
}

const isOnThisMachine = (url: string): boolean =>
  /^(blob:)?http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(url) || url.startsWith("data:");
