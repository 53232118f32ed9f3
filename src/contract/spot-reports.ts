import * as field from "./fields.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";

/** Present only if the reporter said it, and never in an event. */
const said = {
  vehicle: field.text("B-XY 99"),
  note: field.text("A red van, it blocks the gate too"),
};

export const SpotReport = schema.row(
  "SpotReport",
  "spot_reports",
  {
    id: field.id(),
    spot_id: field.id(),
    reporter_id: field.id(),
    holder_id: field.nullable(field.id()),
    is_resolved: field.flag("", false),
    ...field.timestamps,
    ...said,
  },
  ["vehicle", "note"],
);

const NewSpotReport = schema.body(
  "NewSpotReport",
  "spot_reports",
  { spot_id: field.id(), ...said },
  ["spot_id"],
);
const SpotReportResolution = schema.body("SpotReportResolution", "spot_reports", {
  is_resolved: field.flag(),
});
const SpotReportFilter = schema.parameters({
  spot_id: field.id("Only reports of this spot."),
  is_resolved: field.flag("Only reports that were, or were not, dealt with."),
  ...schema.page,
});

const resident = routesFor("approved", { table: "spot_reports", personal: true });
const staff = routesFor("staff", { table: "spot_reports" });
const answer = schema.underName({ spot_report: SpotReport });

export const spotReportRoutes: readonly Route[] = [
  resident.get("/spot-reports", "list_spot_reports", {
    query: SpotReportFilter,
    order: { column: "created_at", direction: "desc" },
    answer: schema.pageOf("spot_reports", SpotReport),
  }),
  resident.post("/spot-reports", "create_spot_report", { body: NewSpotReport, answer }),
  resident.get("/spot-reports/:id", "get_spot_report", { answer }),
  staff.put("/admin/spot-reports/:id", "resolve_spot_report", {
    body: SpotReportResolution,
    answer,
  }),
];
