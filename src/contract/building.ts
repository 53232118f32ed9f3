import * as field from "./fields.ts";
import { choices } from "./preferences.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";

/** A limit. Null means no limit. The check of its column gives its range. */
const limit = (example: number): field.Typed<field.FieldSchema, number | null> => ({
  type: "integer",
  nullable: true,
  description: "",
  example,
});

/** The limits that a section can have too. */
export const limits = {
  longest_window_days: limit(14),
  horizon_days: limit(90),
  shortest_claim_minutes: limit(30),
  longest_claim_minutes: limit(4_320),
  claim_notice_minutes: limit(15),
  cancellation_cutoff_minutes: limit(60),
  most_active_claims: limit(6),
};

/** The settings that administrators may change. */
const settings = {
  name: field.text("Lindenhof 5"),
  time_zone: {
    // The rule is a trigger (sql/building/rules), not a check that could be read. Names are
    // shorter.
    ...field.text("Europe/Berlin"),
    minLength: 1,
    maxLength: 64,
    pattern: "^[A-Za-z0-9_+/-]+$",
  },
  ...field.columns("limits", limits),
  grace_minutes: limit(5),
  offer_minutes: limit(30),
  pattern_days: field.number(28),
  rest_stays_on_offer: field.flag(),
  event_days: field.number(400),
  notification_days: field.number(400),
  job_days: field.number(30),
  ...choices,
  gate_minutes: field.number(10),
  passage_days: field.number(0),
  session_days: field.number(30),
  mark: field.nullable(field.text("L5")),
  colour: field.nullable({
    ...field.text("#1d6f42"),
    minLength: 7,
    maxLength: 7,
    pattern: "^#[0-9A-Fa-f]{6}$",
  }),
};

export const Building = schema.row("Building", "buildings", {
  id: field.id(),
  ...field.columns("building", settings),
  ...field.timestamps,
});

export const Offset = schema.resource(
  "Offset",
  "How far the clocks of the building are ahead of UTC.",
  {
    since: field.moment("From when on."),
    minutes: {
      ...field.number(60, "Behind UTC, less than 0."),
      minimum: -1_439,
      maximum: 1_439,
    },
  },
);

const BuildingChange = schema.body("BuildingChange", "building", settings);

const answer = schema.underName({ building: Building });
const resident = routesFor("approved", { table: "buildings" });

export const buildingRoutes: readonly Route[] = [
  resident.get("/building", "get_building", { answer }),
  resident.get("/building/offsets", "list_offsets", {
    answer: schema.allOf(
      "offsets",
      "From when on the clocks of the building differ how far.",
      Offset,
      100,
    ),
  }),
  routesFor("administrator", { table: "buildings", alsoWrites: ["building", "limits"] }).put(
    "/admin/building",
    "update_building",
    {
      body: BuildingChange,
      answer,
    },
  ),
];
