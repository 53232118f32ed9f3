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
  let complaints: string[] = [];
  let expected: string[] = [];
  return {
    listenTo(context, isAllowed) {
      context.on("request", (request) => {
        if (!isAllowed(new URL(request.url()))) complaints.push(`asked ${request.url()}`);
      });
      context.on("weberror", (event) => complaints.push(event.error().message));
      // The browser reports here what the content security policy forbids, and each failed request.
      context.on("console", (message) => {
        const text = message.text();
        const isComplaint = /error|warning/.test(message.type());
        if (isComplaint && !isOfBusyMachine(text) && !isOfTest(text)) complaints.push(text);
      });
    },
    async expect(reason, times = 1) {
      expected.push(reason);
      const count = () => complaints.filter((it) => it.includes(reason)).length;
      await until(`${times} complaints of ${reason}`, () => count() >= times);
    },
    unexpected() {
      const rest = complaints.filter((it) => !expected.some((reason) => it.includes(reason)));
      complaints = [];
      expected = [];
      return rest;
    },
  };
}

/** A request waits for a connection for one second, which is short there; the page asks again. */
const isOfBusyMachine = (text: string): boolean => text.includes("503 (Service Unavailable)");

/** Most tests do without the service worker. */
const isOfTest = (text: string): boolean =>
  text === "Service Worker registration blocked by Playwright";
