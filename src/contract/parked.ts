import { guest } from "./claims.ts";
import * as field from "./fields.ts";
import { apartmentNumber, fullName, phoneNumber, vehicle } from "./profiles.ts";
import { format, section } from "./reports.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";
import { buildingSection, spotNumber } from "./spots.ts";

const query = schema.parameters({
  at: field.time("The moment; now where it is absent.", field.EXAMPLE_START),
  section,
  vehicle: {
    ...vehicle,
    column: "claims.vehicle",
    description: "Only this vehicle; case, spaces and hyphens do not matter.",
  },
  format,
});

export const Parked = schema.resource(
  "Parked",
  "Who may stand on a spot, with what and until when.",
  {
    spot_id: field.id("The spot."),
    spot_number: spotNumber,
    building_section: buildingSection,
    role: field.choice(
      ["owner", "claimer"],
      "claimer",
      "Whether the person has claimed the spot, or owns it while nobody has.",
    ),
    claim_id: field.nullable(field.id("The claim; null for an owner.")),
    person_id: field.id("The person."),
    ...field.columns("profiles", {
      full_name: field.nullable(fullName),
      apartment_number: apartmentNumber,
    }),
    guest: field.nullable({ ...guest, column: "claims.guest" }),
    vehicle: field.nullable({
      ...vehicle,
      column: "claims.vehicle",
      description:
        "The plate that the claim names; where it names neither a plate nor a guest, and for an owner, the usual one.",
    }),
    until: field.nullable(
      field.moment(
        "The end of the claim; for an owner, the start of the next. Null: no end is known.",
      ),
    ),
    phone_number: field.nullable({
      ...phoneNumber,
      column: "profiles.phone_number",
      description: "Of a claimer who gave one, so that the house can call; null for an owner.",
    }),
    made_by: field.nullable(
      field.id("Who of the staff claimed for the person, if one of them did."),
    ),
  },
);

export const parkedRoutes: readonly Route[] = [
  routesFor("staff", { csv: true }).get("/admin/parked", "parked", {
    query,
    answer: schema.reportOf("parked", Parked),
    personal: true,
  }),
];
