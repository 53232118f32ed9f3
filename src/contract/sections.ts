import { limits } from "./building.ts";
import * as field from "./fields.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";
import { buildingSection } from "./spots.ts";

export const Section = schema.row("Section", "sections", {
  building_section: buildingSection,
  total_spots: field.count(""),
  ...field.columns("limits", limits),
});

const SectionChange = schema.body("SectionChange", "limits", limits);

const ofPath = {
  parameters: schema.parameters({ building_section: buildingSection }, ["building_section"]),
  answer: schema.underName({ section: Section }),
};
const resident = routesFor("approved", { table: "sections" });
const administrator = routesFor("administrator", { table: "sections" });

export const sectionRoutes: readonly Route[] = [
  resident.get("/sections", "list_sections", {
    query: schema.parameters(schema.page),
    order: { column: "building_section", direction: "asc", isUnique: true },
    answer: schema.pageOf("sections", Section),
  }),
  resident.get("/sections/:building_section", "get_section", ofPath),
  administrator.put("/admin/sections/:building_section", "update_section", {
    ...ofPath,
    table: "limits",
    body: SectionChange,
  }),
];
