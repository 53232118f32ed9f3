import { wholeSpans } from "./availabilities.ts";
import * as field from "./fields.ts";
import { Contact, vehicle } from "./profiles.ts";
import { type Filters, type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";

const status = field.choice(["active", "completed", "cancelled"], "active");

/** The person who parks, if the claimer says so. In a change, null clears the field. */
export const guest = field.text("Grandma Silva");
const parking: field.Fields = { guest: field.nullable(guest), vehicle: field.nullable(vehicle) };

export const Claim = schema.row(
  "Claim",
  "claims",
  {
    id: field.id(),
    availability_id: field.id(),
    claimer_id: field.id(),
    ...field.span,
    status,
    ...field.timestamps,
    guest,
    vehicle,
    series_id: field.id(),
    made_by: field.id(),
  },
  ["guest", "vehicle", "series_id", "made_by"],
);

/** A claim as the dashboard shows it. */
export const RecentClaim = schema.row("RecentClaim", "claims", {
  id: field.id(),
  spot_id: field.id(),
  ...field.span,
  status,
});

const NewClaim = schema.body(
  "NewClaim",
  "claims",
  {
    availability_id: field.id("The window to claim."),
    ...field.givenSpan,
    guest,
    vehicle,
    claimer_id: field.id(
      "For whom an administrator or concierge claims; otherwise the caller. A concierge reads the claim in this answer only, and may cancel it by its id.",
    ),
    reason: {
      ...schema.reason,
      description: "Why, where it is for another; those concerned read it.",
    },
  },
  ["availability_id", "start_time", "end_time"],
);
const ClaimChange = schema.body("ClaimChange", "claims", {
  status,
  ...field.givenSpan,
  ...parking,
});
const ClaimCancellation = schema.body(
  "ClaimCancellation",
  "claims",
  {
    status: field.choice(["cancelled"], "cancelled", "Others can only cancel."),
    reason: schema.reason,
  },
  ["status", "reason"],
);
const ClaimFilter = schema.parameters({
  claimer_id: field.id("Only claims by this resident."),
  spot_id: field.id("Only claims of this spot."),
  status: { ...status, description: "Only claims in this state." },
  start_date: field.date("Only claims that start at this time or later.", "2030-01-01"),
  end_date: field.date("Only claims that end before this time.", "2030-02-01"),
  overlaps_start: field.date(
    "Only claims that end after this time: also one that has begun before.",
    "2030-01-01",
  ),
  vehicle: {
    ...vehicle,
    column: "claims.vehicle",
    description: "Only claims for this vehicle; case, spaces and hyphens do not matter.",
  },
  ...schema.page,
});

const filters: Filters = {
  ...wholeSpans,
  overlaps_start: [
    { column: "end_time", is: "> $" },
    // This condition follows from the other one. Without it the scan of an index begins years
    // earlier.
    { column: "start_time", is: ">= (select private.claims_open_since($))" },
  ],
  vehicle: [{ column: "id", is: "= any ((select private.claims_of_vehicle($))::uuid[])" }],
};

const resident = routesFor("approved", { table: "claims" });
const staff = routesFor("staff", { table: "claims" });
const answer = schema.underName({ claim: Claim });

export const claimRoutes: readonly Route[] = [
  resident.get("/claims", "list_claims", {
    query: ClaimFilter,
    order: { column: "start_time", direction: "desc" },
    filters,
    parts: {
      names: ["made", "received", "of others"],
      unless: ["claimer_id", "spot_id", "vehicle"],
    },
    total: { call: "count_claims", filters: ["status", "start_date", "end_date"] },
    answer: schema.pageOf("claims", Claim),
  }),
  resident.post("/claims", "create_claim", { body: NewClaim, answer }),
  resident.get("/claims/:id", "get_claim", { answer }),
  resident.put("/claims/:id", "update_claim", { body: ClaimChange, answer }),
  resident.remove("/claims/:id", "delete_claim", {
    answer: schema.deletionOf("claim", "Claim cancelled successfully"),
  }),

  // The view parking.contacts shows the contacts only to the owner and the claimer.
  resident.get("/claims/:id/contacts", "get_claim_contacts", {
    table: "contacts",
    answer: schema.underName({ contact: Contact }),
    personal: true,
  }),

  staff.put("/admin/claims/:id", "cancel_claim", { body: ClaimCancellation, answer }),
];
