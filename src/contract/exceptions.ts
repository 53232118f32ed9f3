import { Claim } from "./claims.ts";
import * as field from "./fields.ts";
import { type Filters, type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";

const kind = field.choice(["keep", "share"], "keep");

export const Exception = schema.row("Exception", "exceptions", {
  id: field.id(),
  spot_id: field.nullable(field.id()),
  ...field.span,
  kind,
  ...field.timestamps,
});

const NewException = schema.body(
  "NewException",
  "exceptions",
  {
    spot_id: field.nullable(field.id()),
    start_time: field.time("RFC 3339 with an offset.", field.EXAMPLE_START),
    end_time: field.time(
      "RFC 3339 with an offset; in the future, and 366 days after start_time at most.",
      field.EXAMPLE_END,
    ),
    kind,
  },
  ["start_time", "end_time", "kind"],
);

const ExceptionFilter = schema.parameters({
  spot_id: field.id("Only exceptions of this spot alone, not those of all spots."),
  kind: { ...kind, description: "Only exceptions of this kind." },
  overlaps_start: field.date("Only exceptions that end after this time.", "2030-01-01"),
  overlaps_end: field.date("Only exceptions that start before this time.", "2030-01-02"),
  ...schema.page,
});

const filters: Filters = {
  overlaps_start: [{ column: "end_time", is: "> $" }],
  overlaps_end: [{ column: "start_time", is: "< $" }],
};

const MOST_CLAIMS = 200; // sql/exceptions/reads.sql

const owner = routesFor("approved", { table: "exceptions" });
const whole = {
  answer: schema.underName({
    exception: Exception,
    claims: schema.list(
      "The claims in it, which stay as they are, by start: the first of them.",
      Claim,
      MOST_CLAIMS,
    ),
  }),
  otherCalls: { claims: "claims_in_exception" },
};

export const exceptionRoutes: readonly Route[] = [
  owner.get("/exceptions", "list_exceptions", {
    query: ExceptionFilter,
    order: { column: "start_time", direction: "asc" },
    filters,
    answer: schema.pageOf("exceptions", Exception),
    personal: true,
  }),
  owner.post("/exceptions", "create_exception", {
    ...whole,
    body: NewException,
    alsoWrites: ["availabilities"],
  }),
  owner.get("/exceptions/:id", "get_exception", { ...whole, personal: true }),
  owner.remove("/exceptions/:id", "delete_exception", {
    lock: "lock_spots_of_exception",
    answer: schema.deletionOf("exception", "Exception deleted successfully"),
  }),
];
