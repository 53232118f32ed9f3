import { languages } from "../texts/kinds.ts";
import * as field from "./fields.ts";
import { apartmentNumber, fullName } from "./profiles.ts";
import { type Route, routesFor } from "./route.ts";
import * as schema from "./schemas.ts";
import { buildingSection, spotNumber } from "./spots.ts";

const language = { ...field.choice(languages, "en"), default: languages[0] };

const NewCalendarFeed = schema.body("NewCalendarFeed", "calendar_feeds", { language });

/** What a calendar shows of a claim. Nobody reads it as JSON, so it has no name. */
const claim = schema.answer("A claim, as calendars show it.", {
  ...field.columns("claims", {
    id: field.id(),
    is_own: field.flag("Whether the caller made it; else it is on a spot of the caller."),
    ...field.span,
    status: field.choice(["active", "completed", "cancelled"], "active"),
    ...field.timestamps,
  }),
  ...field.columns("spots", { spot_number: spotNumber, building_section: buildingSection }),
  ...field.columns("profiles", {
    full_name: field.nullable(fullName),
    apartment_number: field.nullable(apartmentNumber),
  }),
});
const building = schema.answer(
  "What a calendar says of the building.",
  field.columns("building", {
    name: field.text("Lindenhof 5"),
    time_zone: { ...field.text("Europe/Berlin"), maxLength: 64 },
  }),
);
const CalendarFilter = schema.parameters({
  claim_id: field.id("Only this claim, whenever it is."),
});

const resident = routesFor("approved", { table: "calendar_feeds", personal: true });

const calendar: Route = resident.get("/calendar.ics", "get_calendar", {
  table: "claims",
  query: CalendarFilter,
  calendar: true,
  answer: schema.answer("A calendar of RFC 5545.", {
    claims: schema.list("", claim, 1_000),
    building,
  }),
  otherCalls: { building: "get_building" },
});

const CalendarSecret = schema.parameters(
  {
    sig: {
      ...field.text("yB2CkBzWq0mJ3pV5nT7xR9sU1wA4dF6hK8lZ0cE2gI4"),
      description: "The secret part of the address.",
      pattern: "^[\\w-]{43}$", // sql/calendar_feeds/create_calendar_feed.sql makes this form
      maxLength: 43,
    },
  },
  ["sig"],
);

/** The same for calendar apps, which send no token. */
const calendarFeed: Route = {
  ...calendar,
  path: "/calendar-feed.ics",
  requires: "none",
  table: "calendar_feeds",
  bySecret: {
    operation: "get_calendar_by_feed",
    summary: "A resident's calendar, for calendar apps",
    details:
      "It needs no token, but an address that POST `/calendar-feed` gave, and is in the language of the feed. It rests while the resident is not approved, and ends when they make another, end it or are erased.",
  },
  query: CalendarSecret,
};

/** GraphQL does not have it, because feeds are for calendar apps. */
const feed = (properties: field.Fields) => schema.namelessRow("calendar_feeds", properties);
const own = { language, created_at: field.moment() };

export const calendarRoutes: readonly Route[] = [
  calendar,
  calendarFeed,
  resident.get("/calendar-feed", "get_calendar_feed", {
    answer: schema.underName({ feed: { ...feed(own), nullable: true } }),
  }),
  resident.post("/calendar-feed", "create_calendar_feed", {
    body: NewCalendarFeed,
    answer: schema.underName({
      feed: feed({
        url: {
          ...field.text("https://parking.example/api/calendar-feed.ics?sig=…"),
          description: "The address for calendar apps. It is shown only here.",
          maxLength: 2_000,
        },
        ...own,
      }),
    }),
    location: "/calendar-feed",
    takesAddress: true,
    secret: true,
  }),
  resident.remove("/calendar-feed", "delete_calendar_feed", {
    answer: schema.answer("The feed is gone.", {
      message: field.choice(
        ["Calendar feed ended successfully"],
        "Calendar feed ended successfully",
        "For people.",
      ),
    }),
  }),
];
