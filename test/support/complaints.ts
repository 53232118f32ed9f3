import type { BrowserContext } from "playwright-core";
import { until } from "./waiting.ts";

/** What pages in a browser complained about: each fails the test that does not expect it. */
export interface Complaints {
  /** A page may ask the addresses that are allowed, and nobody else. */
  listenTo(context: BrowserContext, isAllowed: (url: URL) => boolean): void;
  /**
   * Waits until there were so many for a reason, such as `409`; for the rest of the test, more of them
   * are no surprise: how often a page asks depends on how long the test takes.
   */
  expect(reason: string, times?: number): Promise<void>;
  /** Those that the test did not expect. The next test begins without any. */
  unexpected(): readonly string[];
}

export function complaintsOfPages(): Complaints {
  let complaints: { readonly text: string; readonly url?: string }[] = [];
  let expected: string[] = [];
  return {
    listenTo(context, isAllowed) {
      context.on("request", (request) => {
        if (!isAllowed(new URL(request.url()))) complaints.push({ text: `asked ${request.url()}` });
      });
      context.on("weberror", (event) => complaints.push({ text: event.error().message }));
      // The browser reports here what the content security policy forbids, and each failed request.
      context.on("console", (message) => {
        const text = message.text();
        const { url } = message.location();
        if (!/error|warning/.test(message.type())) return;
        if (isOfBusyMachine(text) || isOfEndedClaim(text, url) || isOfTest(text)) return;
        complaints.push({ text, url });
      });
    },
    async expect(reason, times = 1) {
      expected.push(reason);
      const count = () => complaints.filter(({ text }) => text.includes(reason)).length;
      await until(`${times} complaints of ${reason}`, () => count() >= times);
    },
    unexpected() {
      const rest = complaints.filter(
        ({ text }) => !expected.some((reason) => text.includes(reason)),
      );
      complaints = [];
      expected = [];
      return rest.map(({ text, url = "" }) => `${text} ${url}`.trim());
    },
  };
}

/** A request waits for a connection for one second, which is short there; the page asks again. */
const isOfBusyMachine = (text: string): boolean => text.includes("503 (Service Unavailable)");

/** A contact ends with its claim, also while it is being read. */
const isOfEndedClaim = (text: string, url: string): boolean =>
  text.includes("404 (Not Found)") && /\/claims\/[\w-]+\/contacts$/.test(url);

/** Most tests do without the service worker. */
const isOfTest = (text: string): boolean =>
  text === "Service Worker registration blocked by Playwright";
