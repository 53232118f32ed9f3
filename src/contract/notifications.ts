import * as field from "./fields.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";

export const Notification = schema.row("Notification", "notifications", {
  id: field.id(),
  kind: field.choice(
    [
      "claim.submitted",
      "claim.completed",
      "claim.cancelled",
      "claim.deleted",
      "profile.approved",
      "spot.verified",
      "spot.deleted",
      "availability.deleted",
      "wish.fits",
      "pattern.collided",
      "webhook.disabled",
    ],
    "spot.verified",
  ),
  // The service makes it of names and a reason that are much shorter: people cannot break a check.
  message: {
    ...field.text("Your parking spot A-101 was verified"),
    minLength: 1,
    maxLength: 1_000,
  },
  claim_id: field.nullable(field.id()),
  availability_id: field.nullable(field.id()),
  spot_id: field.nullable(field.id()),
  is_read: field.flag("", false),
  resolved_at: field.nullable(field.moment()),
  ...field.timestamps,
});

const NotificationFilter = schema.parameters({
  is_read: field.flag("Only notifications that were, or were not, read."),
  ...schema.page,
});
const NotificationChange = schema.body("NotificationChange", "notifications", {
  is_read: field.flag(),
});

const resident = routesFor("approved", { table: "notifications" });
const answer = schema.underName({ notification: Notification });

export const notificationRoutes: readonly Route[] = [
  resident.get("/notifications", "list_notifications", {
    query: NotificationFilter,
    order: { column: "created_at", direction: "desc" },
    answer: schema.pageOf("notifications", Notification),
    personal: true,
  }),
  resident.get("/notifications/:id", "get_notification", { answer, personal: true }),
  resident.put("/notifications/:id", "update_notification", { body: NotificationChange, answer }),
];
