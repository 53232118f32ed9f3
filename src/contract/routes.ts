import { availabilityRoutes } from "./availabilities.ts";
import { buildingRoutes } from "./building.ts";
import { claimRoutes } from "./claims.ts";
import { dashboardRoutes } from "./dashboard.ts";
import { exceptionRoutes } from "./exceptions.ts";
import { notificationRoutes } from "./notifications.ts";
import { patternRoutes } from "./patterns.ts";
import { profileRoutes } from "./profiles.ts";
import { reportRoutes } from "./reports.ts";
import { isList, type Route } from "./route.ts";
import { spotRoutes } from "./spots.ts";

/** The whole REST API. */
export const routes: readonly Route[] = [
  ...profileRoutes,
  ...buildingRoutes,
  ...dashboardRoutes,
  ...spotRoutes,
  ...availabilityRoutes,
  ...patternRoutes,
  ...claimRoutes,
  ...exceptionRoutes,
  ...notificationRoutes,
  ...reportRoutes,
];

/** The list of a table's rows. */
export const listOf = (table = ""): Route | undefined =>
  routes.find((route) => route.table === table && isList(route));

/** Where the description of the API is found, below the base path. */
export const DESCRIPTION_PATH = "/openapi.json";
