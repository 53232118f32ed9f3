import { until } from "./waiting.ts";

/** Until the service knows how the building calls itself: it sends no service worker before. */
export const untilGreeting = (origin: string): Promise<void> =>
  until("a greeting", async () => (await fetch(`${origin}/service-worker.js`)).ok);
