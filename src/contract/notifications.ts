import { notificationKinds } from "../texts/kinds.ts";
import * as field from "./fields.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";
import { spotNumber } from "./spots.ts";

/** The values in its message, under the names of parking.notifications.data. */
const data = field.object(
  {
    spot_number: { ...spotNumber, column: "spots.spot_number" },
    is_owner: field.flag("Whether the spot is the recipient's. There only where it is true."),
    claimer_name: {
      ...field.text("Ada Lovelace", "Who claimed the recipient's spot."),
      column: "profiles.full_name",
    },
    actor_name: {
      ...field.text("Grace Hopper", "Who of the staff claimed for the claimer, or cancelled that."),
      column: "profiles.full_name",
    },
    start_time: field.moment("When the claim or the window begins.", field.EXAMPLE_START),
    end_time: field.moment("When it ends.", field.EXAMPLE_END),
    reason: { ...schema.reason, description: "Why, where an administrator or a concierge did it." },
    count: field.count("How many people wait for approval."),
    vehicle: {
      ...field.text("B-XY 99", "The plate of a stranger's car."),
      column: "spot_reports.vehicle",
    },
    offered_from: field.moment("From when only the recipient can claim it."),
    offered_until: field.moment("Until when only the recipient can claim it."),
  },
  { spot_number: "A-101", is_owner: true },
);

export const Notification = schema.row(
  "Notification",
  "notifications",
  {
    id: field.id(),
    kind: field.choice(notificationKinds, "spot.verified"),
    // The service makes it of names and a reason, which are much shorter. People cannot break a
    // check.
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
    data,
  },
  ["data"],
);

const NotificationFilter = schema.parameters({
  is_read: field.flag("Only notifications that were, or were not, read."),
  claim_id: field.id("Only notifications about this claim."),
  ...schema.page,
});
const NotificationChange = schema.body("NotificationChange", "notifications", {
  is_read: field.flag(),
});

const AllNotificationsChange = schema.body(
  "AllNotificationsChange",
  "notifications",
  { is_read: field.flag() },
  ["is_read"],
);

const resident = routesFor("approved", { table: "notifications" });
const answer = schema.underName({ notification: Notification });

export const notificationRoutes: readonly Route[] = [
  resident.get("/notifications", "list_notifications", {
    query: NotificationFilter,
    order: { column: "created_at", direction: "desc" },
    answer: schema.pageOf("notifications", Notification),
    personal: true,
  }),
  resident.put("/notifications", "mark_notifications", {
    body: AllNotificationsChange,
    answer: schema.answer("What became of the caller's notifications.", {
      marked: field.count("How many were changed: the others were so already."),
    }),
  }),
  resident.get("/notifications/:id", "get_notification", { answer, personal: true }),
  resident.put("/notifications/:id", "update_notification", { body: NotificationChange, answer }),
];
