import type { Page, Request, Route } from "playwright-core";
import { until } from "../../support/waiting.ts";

/** The service carries out the claim that a tap sends, twice under its key, and the page does not hear of it. */
export async function loseAnswers(page: Page): Promise<void> {
  let sent = 0;
  await page.route("**/api/claims", async (route) => {
    if (route.request().method() !== "POST" || ++sent > 2) return route.continue();
    await route.fetch();
    return route.abort("connectionreset");
  });
}

const underWay = new WeakMap<Page, Set<Request>>();

/** Notes what is under way; called as soon as there is a page. */
export function watchRequests(page: Page): void {
  const requests = new Set<Request>();
  underWay.set(page, requests);
  page.on("request", (request) => {
    // With its document go the requests that it has sent, and not of each is an end reported.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) requests.clear();
    // The stream of events has no end.
    if (!request.url().endsWith("/api/events")) requests.add(request);
  });
  page.on("requestfinished", (request) => requests.delete(request));
  page.on("requestfailed", (request) => requests.delete(request));
}

/**
 * From now on, this answers what the page asks of the API. What is under way is answered first: any answer
 * tells the page that the service is there.
 */
export async function answerInstead(
  page: Page,
  answer: (route: Route) => Promise<void> | void,
): Promise<void> {
  let isBegun = false;
  await page.route("**/api/**", (route) => (isBegun ? answer(route) : route.fallback()));
  const isAnswered = () => underWay.get(page)?.size === 0;
  await until("all answers", async () => {
    if (!isAnswered()) return false;
    // The page reads what has come, and may ask for more.
    await page.evaluate("new Promise((resume) => requestAnimationFrame(resume))");
    return isAnswered();
  });
  isBegun = true;
}
