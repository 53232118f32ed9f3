import { existsSync } from "node:fs";
import { describe } from "@jest/globals";
import { type Browser, chromium } from "playwright-core";

/** Where Debian's packages put it. The one without windows takes a third of the processor time. */
const PROGRAMS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const executablePath = PROGRAMS.find((program) => existsSync(program));

export const hasChromium = executablePath !== undefined;

/** Tests in a browser, where there is one. */
export function describeWithChromium(name: string, tests: () => void): void {
  if (!hasChromium) console.warn(`SKIPPED: ${name}. There is no Chromium: ${PROGRAMS.join(", ")}`);
  (hasChromium ? describe : describe.skip)(name, tests);
}

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    ...(executablePath && { executablePath }),
    args: ["--no-sandbox"],
  });
