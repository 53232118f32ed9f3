import type { Middleware } from "koa";
import { Counter, Histogram, type Registry } from "prom-client";
import { isPage } from "../addresses.ts";
import { MOUNT_PATH } from "../config/own-issuer.ts";
import { DESCRIPTION_PATH, routes } from "../contract/routes.ts";
import type { RefusalMetrics } from "../http/refusal.ts";
import { arrivalOf } from "../overload/processor.ts";

/** In seconds: from an answer from memory to the longest time that a statement may take. */
const DURATIONS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface RequestMetrics extends RefusalMetrics {
  /** Counts the answers and measures how long they took. It runs before all other middleware. */
  readonly observe: Middleware;
}

export function requestMetrics(basePath: string, registry: Registry): RequestMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: "http_requests_total",
    help: "Requests that were answered, or whose client left before (status aborted).",
    labelNames: ["method", "route", "operation", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from the head of a request to the end of its answer.",
    labelNames: ["method", "route", "operation"],
    buckets: DURATIONS,
    registers,
  });
  const refusals = new Counter({
    name: "parking_refusals_total",
    help: "Refusals by X-Error-Code: the rule that refused, or a word such as too_many_requests.",
    labelNames: ["code", "status"],
    registers,
  });
  const labelOf = routeLabels(basePath);

  return {
    observe(ctx, next) {
      const startedAt = arrivalOf(ctx.req);
      const { res } = ctx;
      // Read now, because a listener must not throw.
      const method = methodLabel(ctx.method);
      const route = labelOf(ctx.path);
      res.once("close", () => {
        const operation = ctx.state.graphqlOperation;
        const labels = { method, route, ...(operation && { operation }) };
        requests.inc({ ...labels, status: res.writableFinished ? res.statusCode : "aborted" });
        // The duration of a stream is not a time for which anybody waited.
        if (ctx.respond !== false)
          durations.observe(labels, (performance.now() - startedAt) / 1000);
      });
      return next();
    },
    observeRefused(request, status) {
      const [path = ""] = (request.url ?? "").split("?", 1);
      const labels = { method: methodLabel(request.method ?? ""), route: labelOf(path) };
      requests.inc({ ...labels, status });
      durations.observe(labels, (performance.now() - arrivalOf(request)) / 1000);
    },
    refused: ({ code, status }) => refusals.inc({ code, status }),
  };
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]);

/** A request method as a label. Clients could send many methods that no route has. */
const methodLabel = (method: string): string => (methods.has(method) ? method : "other");

/**
 * Returns the function that finds the route of a path, as a label. There are few values, whatever
 * clients request: a path with an id has its template, and a path that does not exist is `other`.
 */
function routeLabels(basePath: string): (path: string) => string {
  const paths = ["/graphql", DESCRIPTION_PATH, ...new Set(routes.map(({ path }) => path))];
  const templates = paths.map((path) => ({
    label: basePath + path,
    pattern: new RegExp(`^${basePath}${path.replaceAll(/:\w+/g, "[^/]+")}$`),
  }));
  return (path) => {
    if (path === "/livez" || path === "/readyz") return path;
    if (isPage(path) && !path.startsWith(`${basePath}/`)) return "page";
    if (path === MOUNT_PATH || path.startsWith(`${MOUNT_PATH}/`)) return MOUNT_PATH;
    if (path === "/docs" || path.startsWith("/docs/")) return "/docs";
    return templates.find(({ pattern }) => pattern.test(path))?.label ?? "other";
  };
}
