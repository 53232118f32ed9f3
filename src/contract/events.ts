import { Availability } from "./availabilities.ts";
import { Claim } from "./claims.ts";
import { Key } from "./keys.ts";
import { Notification } from "./notifications.ts";
import { Pattern } from "./patterns.ts";
import { Profile } from "./profiles.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";
import { SpotReport } from "./spot-reports.ts";
import { Spot } from "./spots.ts";

/** Each type of event, and what happened. sql/support/kinds.sql has the same types. */
export const eventTypes = {
  "profile.registered": "Somebody registered.",
  "profile.updated": "A profile changed: what the person wrote in it, or what they may do.",
  "profile.approved": "An administrator, or the identity provider, approved an account.",
  "profile.rejected": "An administrator did not approve an account, and said why.",
  "profile.erased": "The personal data of somebody was erased.",
  "spot.registered": "A spot was registered.",
  "spot.updated": "A spot changed.",
  "spot.verified": "An administrator verified a spot.",
  "spot.deleted": "A spot was removed. Its windows to come are withdrawn; what is over stays.",
  "availability.created": "A window was published.",
  "availability.updated":
    "A window has other times, or another part of it is free. In the stream also after each claim.",
  "availability.deleted": "A window was withdrawn.",
  "pattern.created": "An owner made a weekly pattern.",
  "pattern.updated": "A weekly pattern changed.",
  "pattern.deleted": "A weekly pattern ended.",
  "claim.submitted": "Somebody claimed a window.",
  "claim.updated": "A claim has other times, another guest or another plate.",
  "claim.completed": "A claim was completed.",
  "claim.cancelled": "A claim was cancelled.",
  "claim.deleted": "A claim was deleted.",
  "report.submitted": "Somebody reported a stranger's car on a spot.",
  "report.resolved": "An administrator or a concierge dealt with a stranger's car.",
  "building.updated": "The building, or the limits of a section, changed.",
  "access.updated": "The owner of a spot changed how to get to it.",
  "key.created": "An administrator made a key for a machine.",
  "key.deleted": "An administrator withdrew a key.",
  "notification.created": "Somebody got a notification, or one of theirs became new again.",
} as const;

export type EventType = keyof typeof eventTypes;

type WebhookType = Exclude<
  EventType,
  `${"pattern" | "building" | "access" | "key" | "notification"}.${string}`
>;

const all = Object.keys(eventTypes) as EventType[];

/** The types whose subject administrators may see, as in sql/support/kinds.sql. */
export const webhookTypes = all.filter(
  (type): type is WebhookType => !/^(pattern|building|access|key|notification)\./.test(type),
);

/** The form of the data of an event, by the first word of its type. */
export const subjects: Readonly<Record<string, schema.ResourceSchema>> = {
  profile: Profile,
  spot: Spot,
  availability: Availability,
  pattern: Pattern,
  claim: Claim,
  report: SpotReport,
  key: Key,
  notification: Notification,
};

export const eventRoutes: readonly Route[] = [
  routesFor("approved", { personal: true, scope: "events" }).get("/events", "get_events", {
    stream: true,
    answer: schema.answer(
      "Server-sent events. Each has an `id`, an `event`, which is its type, and `data`: a JSON object with `type`, `timestamp` and `data`, which is what the API shows of the profile, spot, availability, pattern, claim, report or notification.",
      {},
    ),
  }),
];
