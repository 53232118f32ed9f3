import * as field from "./fields.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";

export const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;

/** A time of day in the time zone of the building. */
export const wallTime = (example: string): field.Typed<field.FieldSchema, string> => ({
  ...field.text(example),
  minLength: 5,
  maxLength: 5,
  pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$",
});

export const weekdays = {
  ...field.list(field.choice(WEEKDAYS, "MO"), WEEKDAYS.length, ["MO", "TU", "WE"]),
  minItems: 1,
  uniqueItems: true as const,
};

const times = {
  weekdays,
  starts_at: wallTime("18:00"),
  ends_at: wallTime("08:00"),
  first_day: field.day("", "2030-01-01"),
  last_day: field.nullable(field.day("", "2030-06-30")),
};

export const Pattern = schema.row("Pattern", "patterns", {
  id: field.id(),
  spot_id: field.id(),
  ...times,
  published_until: field.nullable(field.day("", "2030-01-28")),
  ...field.timestamps,
});

const newPatternNeeds = ["spot_id", "weekdays", "starts_at", "ends_at", "first_day"];
const NewPattern = schema.body(
  "NewPattern",
  "patterns",
  { spot_id: field.id("The spot to share."), ...times },
  newPatternNeeds,
);
const PatternChange = schema.body("PatternChange", "patterns", times);
const TriedPattern = schema.body(
  "TriedPattern",
  "patterns",
  {
    spot_id: field.id("The spot to share."),
    ...times,
    pattern_id: field.id("The pattern that is to be changed. Without it, what a new one would do."),
  },
  newPatternNeeds,
);
const PatternFilter = schema.parameters({
  spot_id: field.id("Only patterns of this spot."),
  ...schema.page,
});

export const PatternDay = schema.resource("PatternDay", "What becomes of a window of a pattern.", {
  day: field.day("The day on which it starts, on the clock of the building.", "2030-01-01"),
  ...field.columns("availabilities", field.span),
  outcome: field.choice(
    ["published", "overlaps", "kept", "refused"],
    "published",
    "Published; or not, because another window of the spot is there, its owner keeps it, or a rule refuses it.",
  ),
  reason: field.nullable({
    ...field.text(
      "start_time must be in the future",
      "The message of the rule, in the language that Accept-Language prefers.",
    ),
    maxLength: 1000,
  }),
});

const resident = routesFor("approved", { table: "patterns", personal: true });
const answer = schema.underName({ pattern: Pattern });

export const patternRoutes: readonly Route[] = [
  resident.get("/patterns", "list_patterns", {
    query: PatternFilter,
    order: { column: "created_at", direction: "desc" },
    answer: schema.pageOf("patterns", Pattern),
  }),
  resident.post("/patterns", "create_pattern", { body: NewPattern, answer }),
  resident.post("/patterns/preview", "preview_pattern", {
    body: TriedPattern,
    isPreview: true,
    takesLanguage: true,
    location: undefined,
    answer: schema.allOf("days", "What would become of the pattern.", PatternDay, 1_000),
  }),
  resident.get("/patterns/:id", "get_pattern", { answer }),
  resident.put("/patterns/:id", "update_pattern", { body: PatternChange, answer }),
  resident.remove("/patterns/:id", "delete_pattern", {
    answer: schema.deletionOf("pattern", "Pattern deleted successfully", {
      claimed_availability_ids: field.list(
        field.id(),
        366,
        ["0197e2b0-6f1e-7c3a-9d52-5b8f0a1c2d3e"],
        "The windows that stay, because they are claimed and have not ended.",
      ),
    }),
  }),
];
