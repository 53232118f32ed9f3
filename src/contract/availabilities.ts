import * as field from "./fields.ts";
import { type Comparison, type Filters, type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";
import { buildingSection } from "./spots.ts";

/** The largest number of free parts of a window. */
const MOST_SPANS = 10_000;

export const Availability = schema.row(
  "Availability",
  "availabilities",
  {
    id: field.id(),
    spot_id: field.id(),
    ...field.span,
    is_claimed: field.flag("", false),
    free: field.list(field.item(field.span), MOST_SPANS, []),
    pattern_id: field.id(),
    ...field.timestamps,
  },
  ["free", "pattern_id"],
);

const NewAvailability = schema.body(
  "NewAvailability",
  "availabilities",
  { spot_id: field.id("The spot to share."), ...field.givenSpan },
  ["spot_id", "start_time", "end_time"],
);
const AvailabilityChange = schema.body("AvailabilityChange", "availabilities", field.givenSpan);

const AvailabilityFilter = schema.parameters({
  spot_id: field.id("Only windows of this spot."),
  owner_id: field.id("Only windows of this owner's spots."),
  is_claimed: field.flag("Only windows that are, or are not, claimed."),
  building_section: { ...buildingSection, description: "Only windows of spots of this section." },
  start_date: field.date(
    "Only windows that start at this time or later: not one that is already open then.",
    "2030-01-01",
  ),
  end_date: field.date("Only windows that end before this time.", "2030-02-01"),
  overlaps_start: field.date(
    "Only windows that end after this time: also one that is already open then. With overlaps_end, those that touch the period between.",
    "2030-01-01",
  ),
  overlaps_end: field.date("Only windows that start before this time.", "2030-01-02"),
  free_from: field.date(
    "Only windows that you could claim from this time on: open then, not claimed, and not of your own spots. With free_until, for the whole period between.",
    field.EXAMPLE_START,
  ),
  free_until: field.date("Only windows that you could claim until this time.", field.EXAMPLE_END),
  ...schema.page,
});

/** For windows and claims: those that lie completely between two times. */
export const wholeSpans: Filters = {
  start_date: [{ column: "start_time", is: ">= $" }],
  end_date: [
    { column: "end_time", is: "< $" },
    // This condition follows from the other one. With it the scan of an index stops early.
    { column: "start_time", is: "< $" },
  ],
};

/** This condition follows from the others. Without it the scan of an index begins years earlier. */
const openSince: Comparison = { column: "start_time", is: ">= (select private.open_since($))" };

const canBeClaimed: readonly Comparison[] = [
  { column: "is_claimed", is: "= false" },
  { column: "free", is: "is null or private.has_free(free, $free_from, $free_until)" },
  { column: "owner_id", is: "<> (select private.caller_id())" },
];

const filters: Filters = {
  ...wholeSpans,
  overlaps_start: [{ column: "end_time", is: "> $" }, openSince],
  overlaps_end: [{ column: "start_time", is: "< $" }],
  free_from: [
    { column: "start_time", is: "<= $" },
    { column: "end_time", is: "> $" },
    openSince,
    ...canBeClaimed,
  ],
  free_until: [
    { column: "start_time", is: "< $" },
    { column: "end_time", is: ">= $" },
    openSince,
    ...canBeClaimed,
  ],
  building_section: [
    { column: "spot_id", is: "= any ((select private.spots_of_section($))::uuid[])" },
  ],
};

const resident = routesFor("approved", { table: "availabilities" });
const administrator = routesFor("administrator", { table: "availabilities" });
const answer = schema.underName({ availability: Availability });
const deletion = schema.deletionOf("availability", "Availability deleted successfully");

export const availabilityRoutes: readonly Route[] = [
  resident.get("/availabilities", "list_availabilities", {
    query: AvailabilityFilter,
    order: { column: "start_time", direction: "asc" },
    filters,
    total: { call: "count_availabilities", filters: ["is_claimed", "start_date", "end_date"] },
    answer: schema.pageOf("availabilities", Availability),
  }),
  resident.post("/availabilities", "create_availability", { body: NewAvailability, answer }),
  resident.get("/availabilities/:id", "get_availability", { answer }),
  resident.put("/availabilities/:id", "update_availability", { body: AvailabilityChange, answer }),
  resident.remove("/availabilities/:id", "delete_availability", { answer: deletion }),

  administrator.remove("/admin/availabilities/:id", "remove_availability", {
    query: schema.Removal,
    answer: deletion,
  }),
];
