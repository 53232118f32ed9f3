import { Claim, guest } from "./claims.ts";
import * as field from "./fields.ts";
import { WEEKDAYS, wallTime, weekdays } from "./patterns.ts";
import { vehicle } from "./profiles.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";
import { buildingSection, spotNumber } from "./spots.ts";

const MOST_DAYS = 60; // sql/claim_series/rules/claim_series_of_60_days_at_most.sql
/** A preview holds rows for as long as the claims would, but leaves nothing behind. */
const DAYS_OF_A_POINT = 10;
const DAY = 86_400_000;

const which: field.Fields = {
  weekdays: {
    ...weekdays,
    column: "patterns.weekdays",
    description: "The days of the week on which a claim starts.",
  },
  starts_at: {
    ...wallTime("09:00"),
    description: "When each claim starts, on the clock of the building.",
  },
  ends_at: {
    ...wallTime("12:00"),
    description: "When each claim ends; at or before starts_at, on the next day.",
  },
  first_day: field.day("The first day on which a claim may start.", "2030-01-01"),
  last_day: field.day("The last day on which a claim may start.", "2030-03-31"),
  spot_id: field.id("Only this spot."),
  building_section: { ...buildingSection, description: "Only spots of this section." },
};
const required = ["weekdays", "starts_at", "ends_at", "first_day", "last_day"];

const NewClaimSeries: schema.ObjectSchema = {
  title: "NewClaimSeries",
  ...schema.parameters(
    {
      ...which,
      ...field.columns("claims", { guest, vehicle }),
      all_or_none: field.flag(
        "Whether nothing is claimed if one of the days cannot be claimed.",
        false,
      ),
    },
    required,
  ),
};
const TriedClaimSeries: schema.ObjectSchema = {
  title: "TriedClaimSeries",
  ...schema.parameters(which, required),
};
const ClaimSeriesCancellation: schema.ObjectSchema = {
  title: "ClaimSeriesCancellation",
  ...schema.parameters(
    {
      status: field.choice(["cancelled"], "cancelled", "A series can only be cancelled."),
      first_day: field.day("Only claims that start on this day or later.", "2030-02-01"),
    },
    ["status"],
  ),
};

const example = {
  day: "2030-01-01",
  ...{ start_time: field.EXAMPLE_START, end_time: field.EXAMPLE_END },
  spot_number: "A-101",
  availability_id: "0197e2b0-6f1e-7c3a-9d52-5b8f0a1c2d3e",
  reason: null,
};
const day = {
  day: field.day("The day on which the claim starts, on the clock of the building.", "2030-01-01"),
  ...field.columns("claims", field.span),
  spot_number: field.nullable({ ...spotNumber, description: "The spot; null if there is none." }),
  availability_id: field.nullable(field.id("The window; null if there is none.")),
  reason: field.nullable({
    ...field.text(
      "You already have 3 claims",
      "The message of the rule that refused it, in the language that Accept-Language prefers; null if nothing is free.",
    ),
    maxLength: 1000,
  }),
};
const days = field.list(field.item(day), MOST_DAYS, [example], "Each day that has not begun.");

export const ClaimedSeries = schema.resource("ClaimedSeries", "What became of a series.", {
  series_id: field.id("The series, as each of its claims has it."),
  days,
});
export const ClaimableSeries = schema.resource(
  "ClaimableSeries",
  "What would become of a series.",
  { days },
);

/** How many days a series has, at most as many as are allowed. */
function daysOf({ weekdays, ...values }: Readonly<Record<string, unknown>>): number {
  const at = (name: string) => Date.parse(String(values[name]));
  let days = 0;
  for (let time = at("first_day"); time <= at("last_day") && days < MOST_DAYS; time += DAY) {
    const weekday = WEEKDAYS[(new Date(time).getUTCDay() + 6) % 7];
    if (Array.isArray(weekdays) && weekdays.includes(weekday)) days += 1;
  }
  return days;
}

const resident = routesFor("approved", { table: "claims" });

export const claimSeriesRoutes: readonly Route[] = [
  resident.post("/claims/series", "create_claim_series", {
    takesLanguage: true,
    location: undefined,
    body: NewClaimSeries,
    answer: ClaimedSeries,
    points: daysOf,
  }),
  resident.post("/claims/series/preview", "preview_claim_series", {
    takesLanguage: true,
    location: undefined,
    body: TriedClaimSeries,
    isPreview: true,
    answer: ClaimableSeries,
    points: (values) => Math.ceil(daysOf(values) / DAYS_OF_A_POINT),
  }),
  resident.get("/claims/series/:id", "get_claim_series", {
    parentCheck: "require_claim_series",
    answer: schema.allOf("claims", "The claims of the series.", Claim, MOST_DAYS),
  }),
  resident.put("/claims/series/:id", "cancel_claim_series", {
    body: ClaimSeriesCancellation,
    answer: schema.answer("What was cancelled.", {
      series_id: field.id("The series."),
      cancelled_claim_ids: field.list(
        field.id(),
        MOST_DAYS,
        ["0197e2b0-6f1e-7c3a-9d52-5b8f0a1c2d3e"],
        "The claims that had not begun, first start first.",
      ),
    }),
  }),
];
