import type { Entry } from "../http/router.ts";
import { ourFile, routesOfFiles } from "./files.ts";
import { workerPolicy } from "./policy.ts";

/**
 * Where there is no page. A browser that had one has kept its files, and its service worker shows them
 * for ever: an address that is gone leaves a worker as it is.
 */
export const noPage = (): readonly Entry[] =>
  routesOfFiles("/", { "service-worker.js": ourFile("no-page/service-worker.js") }, () => ({
    "Content-Security-Policy": workerPolicy,
  }));
