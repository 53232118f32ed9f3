import { Availability } from "./availabilities.ts";
import { Claim } from "./claims.ts";
import { Notification } from "./notifications.ts";
import { Pattern } from "./patterns.ts";
import { Profile } from "./profiles.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";
import { SpotReport } from "./spot-reports.ts";
import { Spot } from "./spots.ts";

/** The form of the data of an event, by the first word of its type. */
export const subjects: Readonly<Record<string, schema.ResourceSchema>> = {
  profile: Profile,
  spot: Spot,
  availability: Availability,
  pattern: Pattern,
  claim: Claim,
  report: SpotReport,
  notification: Notification,
};

export const eventRoutes: readonly Route[] = [
  routesFor("approved", { personal: true }).get("/events", "get_events", {
    stream: true,
    answer: schema.answer(
      "Server-sent events. Each has an `id`, an `event`, which is its type, and `data`: a JSON object with `type`, `timestamp` and `data`, which is what the API shows of the profile, spot, availability, pattern, claim, report or notification.",
      {},
    ),
  }),
];
