import * as field from "./fields.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";
import { buildingSection, spotInShort, spotNumber } from "./spots.ts";

export const section: field.FieldSchema = {
  ...buildingSection,
  description: "Only spots of this section.",
};
export const format: field.FieldSchema = {
  ...field.choice(["json", "csv"], "json"),
  default: "json",
  description:
    "CSV is for spreadsheets: where one would run a text as a formula, an apostrophe stands before it.",
};

/** The parameters of every report. */
const report: field.Fields = {
  from: field.day("The first day of the period, in the time zone of the building.", "2029-11-01"),
  until: field.day(
    "The first day after the period, which has 184 days at most: 2029-12-01 for a report until the end of November.",
    "2029-12-01",
  ),
  section,
  format,
};
const query = schema.parameters(report, ["from", "until"]);
const queryByStep = schema.parameters(
  {
    ...report,
    step: {
      ...field.choice(["day", "week"], "week"),
      default: "day",
      description: "A row for each day, or for each week from Monday on.",
    },
  },
  ["from", "until"],
);

const shareOf = (description: string): field.Typed<field.FieldSchema, number | null> => ({
  type: "number",
  minimum: 0,
  maximum: 1,
  description,
  example: 0.5,
  nullable: true,
});

const used = {
  offered_minutes: field.count("Minutes in which spots could be claimed, added up."),
  claimed_minutes: field.count("Minutes of them that active or completed claims took."),
  share: shareOf("claimed_minutes / offered_minutes; null where nothing was offered."),
};

const hourOfWeek = {
  weekday: { ...field.count("1 is Monday, 7 is Sunday."), minimum: 1, maximum: 7 },
  hour: { ...field.count("The hour in the time zone of the building."), maximum: 23 },
};

export const UseOfHour = schema.resource(
  "UseOfHour",
  "How much an hour of the week was used, over all weeks.",
  {
    ...hourOfWeek,
    ...used,
  },
);

export const WishesOfHour = schema.resource(
  "WishesOfHour",
  "What residents waited for in an hour of the week, over all weeks.",
  {
    ...hourOfWeek,
    wished_minutes: field.count(
      "Minutes that residents wished for, added up. Of wishes of one resident for the same time, one counts.",
    ),
    unmet_minutes: field.count("Minutes of them that no claim of theirs fulfilled."),
    share: shareOf("unmet_minutes / wished_minutes; null where nothing was wished for."),
  },
);

export const UseOfSection = schema.resource(
  "UseOfSection",
  "How much a section was used, on a day or in a week.",
  {
    building_section: buildingSection,
    first_day: field.day("The day, or the first of the week that is in the period.", "2029-11-01"),
    ...used,
  },
);

export const SpotNeverOffered = schema.resource(
  "SpotNeverOffered",
  "A spot without a window in the period.",
  {
    ...field.columns("spots", { ...spotInShort, owner_id: field.id() }),
    last_offered: field.nullable(field.moment("The end of its last window before the period.")),
  },
);

export const WindowNeverClaimed = schema.resource(
  "WindowNeverClaimed",
  "A window without an active or completed claim.",
  field.columns("availabilities", {
    id: field.id(),
    spot_id: field.id(),
    spot_number: spotNumber,
    building_section: buildingSection,
    owner_id: field.id(),
    ...field.span,
  }),
);

const administrator = routesFor("administrator", { csv: true, scope: "reports" });

export const reportRoutes: readonly Route[] = [
  administrator.get("/admin/reports/use-by-hour", "use_by_hour", {
    query,
    answer: schema.reportOf("hours", UseOfHour),
  }),
  administrator.get("/admin/reports/use-by-section", "use_by_section", {
    query: queryByStep,
    answer: schema.reportOf("sections", UseOfSection),
  }),
  administrator.get("/admin/reports/spots-never-offered", "spots_never_offered", {
    query,
    answer: schema.reportOf("spots", SpotNeverOffered),
  }),
  administrator.get("/admin/reports/windows-never-claimed", "windows_never_claimed", {
    query,
    answer: schema.reportOf("windows", WindowNeverClaimed),
  }),
  administrator.get("/admin/reports/unmet-wishes", "unmet_wishes", {
    query,
    answer: schema.reportOf("hours", WishesOfHour),
  }),
];
