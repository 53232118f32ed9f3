import * as field from "./fields.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";

export const spotNumber = { ...field.text("A-101"), column: "spots.spot_number" };
export const buildingSection = { ...field.text("North garage"), column: "spots.building_section" };

/** The spot itself, also where reports and the dashboard show it. */
export const spotInShort: field.Fields = field.columns("spots", {
  id: field.id(),
  spot_number: spotNumber,
  building_section: buildingSection,
  is_verified: field.flag(),
});

export const Spot = schema.row("Spot", "spots", {
  ...spotInShort,
  owner_id: field.id(),
  ...field.timestamps,
});

const ofOwner: field.Fields = { spot_number: spotNumber, building_section: buildingSection };
const NewSpot = schema.body("NewSpot", "spots", ofOwner, ["spot_number", "building_section"]);
const SpotChange = schema.body("SpotChange", "spots", ofOwner);
const SpotVerification = schema.body("SpotVerification", "spots", { is_verified: field.flag() });
const SpotFilter = schema.parameters({
  owner_id: field.id("Only spots of this owner."),
  building_section: { ...buildingSection, description: "Only spots of this section." },
  is_verified: field.flag("Only spots that are, or are not, verified."),
  ...schema.page,
});

const resident = routesFor("approved", { table: "spots" });
const administrator = routesFor("administrator", { table: "spots" });
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

  administrator.put("/admin/parking-spots/:id", "verify_spot", { body: SpotVerification, answer }),
  administrator.remove("/admin/parking-spots/:id", "remove_spot", {
    query: schema.Removal,
    answer: deletion,
  }),
];
