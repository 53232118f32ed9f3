import type { Entry } from "../http/router.ts";
import { ourFile, routesOfFiles } from "./files.ts";
import { workerPolicy } from "./policy.ts";

/**
 * For a service without a page. A browser that had the page keeps its files, and its service worker
 * would show them for ever: a missing address does not remove a worker.
 */
export const noPage = (): readonly Entry[] =>
  routesOfFiles("/", { "service-worker.js": ourFile("no-page/service-worker.js") }, () => ({
    "Content-Security-Policy": workerPolicy,
  }));
