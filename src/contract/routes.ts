import { availabilityRoutes } from "./availabilities.ts";
import { boardRoutes } from "./board.ts";
import { buildingRoutes } from "./building.ts";
import { calendarRoutes } from "./calendar.ts";
import { claimSeriesRoutes } from "./claim-series.ts";
import { claimRoutes } from "./claims.ts";
import { dashboardRoutes } from "./dashboard.ts";
import { eventRoutes } from "./events.ts";
import { exceptionRoutes } from "./exceptions.ts";
import { favoriteSpotRoutes } from "./favorite-spots.ts";
import { gateRoutes } from "./gate.ts";
import { invitationRoutes } from "./invitations.ts";
import { keyRoutes } from "./keys.ts";
import { notificationRoutes } from "./notifications.ts";
import { parkedRoutes } from "./parked.ts";
import { patternRoutes } from "./patterns.ts";
import { preferenceRoutes } from "./preferences.ts";
import { profileRoutes } from "./profiles.ts";
import { pushRoutes } from "./push.ts";
import { reportRoutes } from "./reports.ts";
import { residentRoutes } from "./residents.ts";
import { isList, type Route } from "./route.ts";
import { sectionRoutes } from "./sections.ts";
import { spotReportRoutes } from "./spot-reports.ts";
import { spotRoutes } from "./spots.ts";
import { webhookRoutes } from "./webhooks.ts";
import { wishRoutes } from "./wishes.ts";

/** The whole REST API. */
export const routes: readonly Route[] = [
  ...profileRoutes,
  ...preferenceRoutes,
  ...pushRoutes,
  ...invitationRoutes,
  ...buildingRoutes,
  ...sectionRoutes,
  ...dashboardRoutes,
  ...spotRoutes,
  ...favoriteSpotRoutes,
  ...availabilityRoutes,
  ...boardRoutes,
  ...patternRoutes,
  ...claimSeriesRoutes,
  ...claimRoutes,
  ...exceptionRoutes,
  ...parkedRoutes,
  ...residentRoutes,
  ...calendarRoutes,
  ...wishRoutes,
  ...spotReportRoutes,
  ...notificationRoutes,
  ...eventRoutes,
  ...reportRoutes,
  ...webhookRoutes,
  ...keyRoutes,
  ...gateRoutes,
];

/** The route that lists the rows of a table. */
export const listOf = (table = ""): Route | undefined =>
  routes.find((route) => route.table === table && isList(route));

/** The path of the API's description, below the base path. */
export const DESCRIPTION_PATH = "/openapi.json";
