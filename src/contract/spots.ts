import * as field from "./fields.ts";
import { type Route, routesFor } from "./route.ts";
import {
  body,
  deletionOf,
  page,
  pageOf,
  parameters,
  Removal,
  resource,
  underName,
} from "./schemas.ts";

export const spotNumber = { ...field.text("A-101"), column: "spots.spot_number" };
export const buildingSection = { ...field.text("North garage"), column: "spots.building_section" };

/** The spot itself, also where reports and the dashboard show it. */
export const spotInShort: field.Fields = field.columns("spots", {
  id: field.id(),
  spot_number: spotNumber,
  building_section: buildingSection,
  is_verified: field.flag(),
});

export const Spot = resource(
  "Spot",
  "A parking spot.",
  field.columns("spots", { ...spotInShort, owner_id: field.id(), ...field.timestamps }),
);

const NewSpot = body("NewSpot", { spot_number: spotNumber, building_section: buildingSection }, [
  "spot_number",
  "building_section",
]);
const SpotChange = body("SpotChange", {
  spot_number: spotNumber,
  building_section: buildingSection,
});
const SpotVerification = body(
  "SpotVerification",
  field.columns("spots", { is_verified: field.flag() }),
);
export const SpotFilter = parameters({
  owner_id: field.id("Only spots of this owner."),
  building_section: { ...buildingSection, description: "Only spots of this section." },
  is_verified: field.flag("Only spots that are, or are not, verified."),
  ...page,
});

const resident = routesFor("approved", { table: "spots" });
const administrator = routesFor("administrator", { table: "spots" });
const answer = underName({ spot: Spot });
const deletion = deletionOf("spot", "Parking spot deleted successfully");

export const spotRoutes: readonly Route[] = [
  resident.get("/parking-spots", "list_spots", {
    query: SpotFilter,
    order: { column: "spot_number", direction: "asc" },
    answer: pageOf("spots", Spot),
  }),
  resident.post("/parking-spots", "create_spot", { body: NewSpot, answer }),
  resident.get("/parking-spots/:id", "get_spot", { answer }),
  resident.put("/parking-spots/:id", "update_spot", { body: SpotChange, answer }),
  resident.remove("/parking-spots/:id", "delete_spot", { answer: deletion }),

  administrator.put("/admin/parking-spots/:id", "verify_spot", { body: SpotVerification, answer }),
  administrator.remove("/admin/parking-spots/:id", "remove_spot", {
    query: Removal,
    answer: deletion,
  }),
];
