/** Each type of event, and what happened. sql/events/is_event_type.sql has the same types. */
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
  "report.resolved": "An administrator dealt with a stranger's car.",
  "building.updated": "The building, or the limits of a section, changed.",
  "access.updated": "The owner of a spot changed how to get to it.",
  "notification.created": "Somebody got a notification, or one of theirs became new again.",
} as const;

export type EventType = keyof typeof eventTypes;

type WebhookType = Exclude<
  EventType,
  `${"pattern" | "building" | "access" | "notification"}.${string}`
>;

const all = Object.keys(eventTypes) as EventType[];

/** The types whose subject administrators may see, as in sql/webhooks/are_webhook_types.sql. */
export const webhookTypes = all.filter(
  (type): type is WebhookType => !/^(pattern|building|access|notification)\./.test(type),
);
