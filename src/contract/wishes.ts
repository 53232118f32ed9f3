import { wholeSpans } from "./availabilities.ts";
import * as field from "./fields.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";

/** What became of a wish. A member is present only once it has a value. */
const outcome = {
  claim_id: field.id(),
  availability_id: field.id(),
  offered_from: field.moment(),
  offered_until: field.moment(),
};

const section = field.text("North garage");

export const Wish = schema.row(
  "Wish",
  "wishes",
  {
    id: field.id(),
    ...field.span,
    building_section: field.nullable(section),
    spot_id: field.nullable(field.id()),
    ...outcome,
    ...field.timestamps,
  },
  ["claim_id", "availability_id", "offered_from", "offered_until"],
);

const NewWish = schema.body(
  "NewWish",
  "wishes",
  { ...field.givenSpan, building_section: section, spot_id: field.id() },
  ["start_time", "end_time"],
);
const WishFilter = schema.parameters({
  start_date: field.date("Only wishes that start at this time or later.", "2030-01-01"),
  end_date: field.date("Only wishes that end before this time.", "2030-02-01"),
  ...schema.page,
});

const resident = routesFor("approved", { table: "wishes", personal: true });
const answer = schema.underName({ wish: Wish });

export const wishRoutes: readonly Route[] = [
  resident.get("/wishes", "list_wishes", {
    query: WishFilter,
    order: { column: "start_time", direction: "desc" },
    filters: wholeSpans,
    answer: schema.pageOf("wishes", Wish),
  }),
  resident.post("/wishes", "create_wish", { body: NewWish, answer }),
  resident.get("/wishes/:id", "get_wish", { answer }),
  resident.remove("/wishes/:id", "delete_wish", {
    answer: schema.deletionOf("wish", "Wish withdrawn successfully"),
  }),
];
