import * as field from "./fields.ts";
import { type Route, routesFor, scopes } from "./route.ts";
import * as schema from "./schemas.ts";

const given = {
  name: field.text("Barrier of the garage"),
  scopes: {
    ...field.list(field.choice(scopes, "gate"), scopes.length, ["gate"]),
    minItems: 1,
    uniqueItems: true as const,
  },
  expires_at: field.time("", "2031-01-01T00:00:00.000Z"),
};

const NewKey = schema.body("NewKey", "keys", given, ["name", "scopes", "expires_at"]);

const own = {
  id: field.id(),
  ...given,
  expires_at: field.moment("", "2031-01-01T00:00:00.000Z"),
  maker_id: field.id(),
  last_used_at: field.nullable(field.moment()),
  created_at: field.moment(),
};
// GraphQL does not have keys: machines need the secret, which only REST shows.
export const Key = schema.namelessRow("keys", own);
const keyWithSecret = schema.namelessRow("keys", {
  ...own,
  secret: {
    ...field.text(
      "parking_7Xh2Lk0vQ9sT4mYbN1cRzWpE8fJgUdKaHi6oVx3MlSw",
      "What the machine sends as a bearer token. No other answer has it.",
    ),
    minLength: 51,
    maxLength: 51,
  },
});

const administrator = routesFor("administrator", { table: "keys", personal: true });

export const keyRoutes: readonly Route[] = [
  administrator.get("/admin/keys", "list_keys", {
    query: schema.parameters(schema.page),
    order: { column: "created_at", direction: "desc" },
    answer: schema.pageOf("keys", Key),
  }),
  administrator.post("/admin/keys", "create_key", {
    body: NewKey,
    answer: schema.underName({ key: keyWithSecret }),
    secret: true,
  }),
  administrator.get("/admin/keys/:id", "get_key", { answer: schema.underName({ key: Key }) }),
  administrator.remove("/admin/keys/:id", "delete_key", {
    answer: schema.deletionOf("key", "Key deleted successfully"),
  }),
];
