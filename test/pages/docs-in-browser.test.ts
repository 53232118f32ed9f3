import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from "@jest/globals";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { readServiceConfig } from "../../src/config.ts";
import { people } from "../../src/development/people.ts";
import { createLogger } from "../../src/log.ts";
import { type Service, startService } from "../../src/service.ts";
import type { Claim, Window } from "../support/building.ts";
import { openSwaggerUi } from "./swagger-ui.ts";

jest.setTimeout(60_000);

/** Where Debian's package puts it. */
const executablePath = "/usr/bin/chromium";
const isThere = existsSync(executablePath);
if (!isThere) console.warn(`SKIPPED: /docs in a browser. There is no Chromium: ${executablePath}`);

(isThere ? describe : describe.skip)("/docs of a service under development", () => {
  let dataDir: string;
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "parking-docs-"));
    const config = readServiceConfig({ PORT: "0", DATA_DIR: dataDir });
    service = await startService(config, createLogger("silent"));
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const isOurs = (url: string): boolean =>
    [service.origin, byOtherName()].includes(new URL(url).origin);
  const byOtherName = (): string => service.origin.replace("127.0.0.1", "localhost");

  let context: BrowserContext;
  let complaints: string[];
  beforeEach(async () => {
    complaints = [];
    context = await browser.newContext();
    context.on("request", (request) => {
      if (!isOurs(request.url())) complaints.push(`asked ${request.url()}`);
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

  it("shows how to authenticate without a token", async () => {
    const swaggerUi = await openSwaggerUi(context, service.origin);

    expect(await swaggerUi.tryOut("get_dashboard")).toMatchObject({
      status: "401",
      body: { error: "Authentication required" },
    });
    // The browser prints a message for every failed request.
    expect(complaints.splice(0)).toEqual([expect.stringContaining("401")]);
  });

  it("shows a resident who signs in their dashboard", async () => {
    const swaggerUi = await openSwaggerUi(context, service.origin);
    await swaggerUi.signInAs("Maria Silva");

    expect(await swaggerUi.tryOut("get_dashboard")).toMatchObject({
      status: "200",
      body: { stats: { total_spots: 2 } },
    });
  });

  it("lets another resident find an open window and claim it", async () => {
    const swaggerUi = await openSwaggerUi(context, service.origin);
    await swaggerUi.signInAs("Omar Haddad");

    const open = await swaggerUi.tryOut<{ availabilities: Window[] }>("list_availabilities", {
      parameters: { is_claimed: "false", limit: "1" },
    });
    const [{ id = "", start_time, end_time } = {}] = open.body.availabilities;
    const claimed = await swaggerUi.tryOut<{ claim: Claim }>("create_claim", {
      body: { availability_id: id, start_time, end_time },
    });

    expect(claimed).toMatchObject({
      status: "201",
      body: { claim: { availability_id: id, claimer_id: people.omar.id, status: "active" } },
    });
    expect(await swaggerUi.tryOut("get_availability", { parameters: { id } })).toMatchObject({
      body: { availability: { is_claimed: true } },
    });
  });

  it("works under the machine's other name", async () => {
    const swaggerUi = await openSwaggerUi(
      context,
      service.origin.replace("127.0.0.1", "localhost"),
    );
    await swaggerUi.signInAs("Maria Silva");

    expect(await swaggerUi.tryOut("get_dashboard")).toMatchObject({ status: "200" });
  });
});
