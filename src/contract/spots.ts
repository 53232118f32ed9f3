import * as field from "./fields.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";

export const spotNumber = { ...field.text("A-101"), column: "spots.spot_number" };
export const buildingSection = { ...field.text("North garage"), column: "spots.building_section" };

/** The spot itself, also as reports and the dashboard show it. */
export const spotInShort = field.columns("spots", {
  id: field.id(),
  spot_number: spotNumber,
  building_section: buildingSection,
  is_verified: field.flag(),
});

const notes = field.text("2.30 m wide, 1.95 m high; a charger of 11 kW");

export const Spot = schema.row(
  "Spot",
  "spots",
  { ...spotInShort, owner_id: field.id(), ...field.timestamps, notes },
  ["notes"],
);

const ofOwner: field.Fields = { spot_number: spotNumber, building_section: buildingSection };
const NewSpot = schema.body("NewSpot", "spots", { ...ofOwner, notes }, [
  "spot_number",
  "building_section",
]);
const SpotChange = schema.body("SpotChange", "spots", { ...ofOwner, notes: field.nullable(notes) });
const SpotVerification = schema.body("SpotVerification", "spots", { is_verified: field.flag() });

/** What the owner tells only claimers. They read it in the contacts of their claim. */
export const accessNotes = {
  ...field.text("The gate opens with 4711, then the second row"),
  column: "spot_access.access_notes",
};
const access = { access_notes: field.nullable(accessNotes) };
export const SpotAccess = schema.row("SpotAccess", "spot_access", access);
const SpotAccessChange = schema.body("SpotAccessChange", "spot_access", access);

const SpotFilter = schema.parameters({
  owner_id: field.id("Only spots of this owner."),
  building_section: { ...buildingSection, description: "Only spots of this section." },
  is_verified: field.flag("Only spots that are, or are not, verified."),
  ...schema.page,
});

const resident = routesFor("approved", { table: "spots" });
const administrator = routesFor("administrator", { table: "spots" });
const ofAccess = routesFor("approved", { table: "spot_access", personal: true });
const accessAnswer = { answer: schema.underName({ access: SpotAccess }) };
const answer = schema.underName({ spot: Spot });
const deletion = schema.deletionOf("spot", "Parking spot deleted successfully");

export const spotRoutes: readonly Route[] = [
  resident.get("/parking-spots", "list_spots", {
    query: SpotFilter,
    order: { column: "spot_number", direction: "asc" },
    answer: schema.pageOf("spots", Spot),
  }),
  resident.post("/parking-spots", "create_spot", { body: NewSpot, answer }),
  resident.get("/parking-spots/:id", "get_spot", { answer }),
  resident.put("/parking-spots/:id", "update_spot", { body: SpotChange, answer }),
  resident.remove("/parking-spots/:id", "delete_spot", { answer: deletion }),

  ofAccess.get("/parking-spots/:id/access", "get_spot_access", accessAnswer),
  ofAccess.put("/parking-spots/:id/access", "update_spot_access", {
    ...accessAnswer,
    body: SpotAccessChange,
  }),

  administrator.put("/admin/parking-spots/:id", "verify_spot", { body: SpotVerification, answer }),
  administrator.remove("/admin/parking-spots/:id", "remove_spot", {
    query: schema.Removal,
    answer: deletion,
  }),
];
