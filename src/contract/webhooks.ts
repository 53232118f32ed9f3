import { webhookTypes } from "./events.ts";
import * as field from "./fields.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";

const types = {
  ...field.list(field.choice(webhookTypes, "claim.submitted"), webhookTypes.length, [
    "claim.submitted",
    "claim.cancelled",
  ]),
  minItems: 1,
  uniqueItems: true as const,
};
const format = field.choice(["event", "chat", "teams"], "event");
const settings = {
  url: field.text("https://hooks.example.org/parking"),
  types,
  format,
  enabled: field.flag(),
};

const NewWebhook = schema.body(
  "NewWebhook",
  "webhooks",
  { ...settings, format: { ...format, default: "event" } },
  ["url", "types"],
);
const WebhookChange = schema.body("WebhookChange", "webhooks", settings);

const own = {
  id: field.id(),
  ...settings,
  failing_since: field.nullable(field.moment()),
  ...field.timestamps,
};
// GraphQL does not have webhooks: receivers need the secret, which only REST shows.
export const webhook = schema.namelessRow("webhooks", own);
export const webhookWithSecret = schema.namelessRow("webhooks", {
  ...own,
  secret: {
    ...field.text("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
    column: "webhook_secrets.secret",
    maxLength: 64,
  },
});
const position = field.nullable(field.count(""));
export const delivery = schema.namelessRow("deliveries", {
  id: field.id(),
  event_id: field.nullable(field.id()),
  type: field.choice([...webhookTypes, "webhook.test"], "claim.submitted"),
  position,
  state: field.choice(["waiting", "failing", "delivered", "given_up"], "delivered"),
  attempts: field.count(""),
  failure: field.nullable({ ...field.text("answered 500"), maxLength: 500 }),
  next_attempt_at: field.nullable(field.moment()),
  ended_at: field.nullable(field.moment()),
  created_at: field.moment(),
});

const DeliveryFilter = schema.parameters({
  state: field.choice(
    ["waiting", "failing", "delivered", "given_up"],
    "given_up",
    "Only deliveries in this state.",
  ),
  ...schema.page,
});

const Replay = schema.body("Replay", "deliveries", {
  since: {
    ...field.count("Events after this position are sent again; 0: all that are kept."),
    example: 1_000,
  },
  event_id: field.id("This event is sent again."),
});

const administrator = routesFor("administrator", { table: "webhooks", personal: true });
const answer = schema.underName({ webhook });
const secretAnswer = schema.underName({ webhook: webhookWithSecret });

export const webhookRoutes: readonly Route[] = [
  administrator.get("/admin/webhooks", "list_webhooks", {
    query: schema.parameters(schema.page),
    order: { column: "created_at", direction: "desc" },
    answer: schema.pageOf("webhooks", webhook),
  }),
  administrator.post("/admin/webhooks", "create_webhook", {
    body: NewWebhook,
    answer: secretAnswer,
    secret: true,
  }),
  administrator.get("/admin/webhooks/:id", "get_webhook", { answer }),
  administrator.put("/admin/webhooks/:id", "update_webhook", { body: WebhookChange, answer }),
  administrator.remove("/admin/webhooks/:id", "delete_webhook", {
    answer: schema.deletionOf("webhook", "Webhook deleted successfully"),
  }),
  administrator.post("/admin/webhooks/:id/rotate", "rotate_webhook", {
    answer: secretAnswer,
    location: "/admin/webhooks/:id",
    secret: true,
  }),
  administrator.post("/admin/webhooks/:id/test", "test_webhook", {
    answer: schema.underName({ delivery }),
    location: undefined,
  }),
  administrator.get("/admin/webhooks/:id/deliveries", "list_deliveries", {
    parentCheck: "require_webhook",
    query: DeliveryFilter,
    order: { column: "created_at", direction: "desc" },
    filters: { id: [{ column: "webhook_id", is: "= $" }] },
    answer: schema.pageOf("deliveries", delivery),
  }),
  administrator.post("/admin/webhooks/:id/replay", "replay_webhook", {
    body: Replay,
    location: undefined,
    answer: schema.answer("What is sent again.", {
      deliveries: field.count("How many."),
      until: { ...position, description: "The position of the last of them." },
    }),
  }),
];
