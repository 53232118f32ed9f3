import * as field from "./fields.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";

const keys = {
  p256dh: {
    ...field.text(
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    ),
    minLength: 87,
    maxLength: 87,
  },
  auth: { ...field.text("BTBZMqHH6r4Tts7J_aSIgg"), minLength: 22, maxLength: 22 },
};
const endpoint = field.text("https://push.example.net/message/4711");

const NewPushSubscription = schema.body(
  "NewPushSubscription",
  "push_subscriptions",
  { endpoint, ...keys },
  ["endpoint", "p256dh", "auth"],
);

// GraphQL does not have it: subscriptions are for browsers.
export const subscription = schema.namelessRow("push_subscriptions", {
  id: field.id(),
  endpoint,
  created_at: field.moment(),
});
const answer = schema.underName({ push_subscription: subscription });
const key = schema.namelessRow("push_key", { public_key: { ...keys.p256dh } });

const anyone = routesFor("none", { table: "push_subscriptions", personal: true });

export const pushRoutes: readonly Route[] = [
  anyone.get("/push-subscriptions", "list_push_subscriptions", {
    query: schema.parameters(schema.page),
    order: { column: "created_at", direction: "desc" },
    answer: schema.pageOf("push_subscriptions", subscription),
  }),
  anyone.post("/push-subscriptions", "create_push_subscription", {
    body: NewPushSubscription,
    answer,
  }),
  anyone.get("/push-subscriptions/:id", "get_push_subscription", { answer }),
  anyone.remove("/push-subscriptions/:id", "delete_push_subscription", {
    answer: schema.deletionOf("push_subscription", "Push subscription deleted successfully"),
  }),
  anyone.get("/push-key", "get_push_key", {
    answer: schema.underName({ push_key: { ...key, nullable: true } }),
  }),
];
