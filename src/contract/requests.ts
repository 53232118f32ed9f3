import * as field from "./fields.ts";

type Fields = Readonly<Record<string, field.FieldSchema>>;

/** What requests may carry: Ajv validates with it and the description of the API shows it. */
export interface ObjectSchema {
  readonly type: "object";
  readonly properties: Fields;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

const object = (properties: Fields, required: readonly string[] = []): ObjectSchema => ({
  type: "object",
  properties,
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
});

const startTime = field.time("RFC 3339 with an offset; in the future.", field.EXAMPLE_START);
const endTime = field.time("RFC 3339 with an offset; after start_time.", field.EXAMPLE_END);

const page = { limit: field.limit, offset: field.offset };

/** The one parameter of paths with `{id}`. */
export const PathId = object({ id: field.id("The id of the resource.") }, ["id"]);
export const Nothing = object({});

export const NewProfile = object(
  {
    apartment_number: field.apartmentNumber,
    full_name: field.fullName,
    phone_number: field.phoneNumber,
    shares_phone_number: field.sharesPhoneNumber,
  },
  ["apartment_number"],
);
export const ProfileChange = object({
  apartment_number: field.apartmentNumber,
  full_name: field.nullable(field.fullName),
  phone_number: field.nullable(field.phoneNumber),
  shares_phone_number: field.sharesPhoneNumber,
});
export const ProfileFilter = object({
  is_approved: field.flag("Only accounts that are, or are not, approved."),
  is_admin: field.flag("Only administrators, or only others."),
  ...page,
});
export const ProfileFlags = object({
  is_approved: field.flag("Whether the account is approved."),
  is_admin: field.flag("Whether the account has administrator privileges."),
});

export const BuildingChange = object({
  name: field.buildingName,
  time_zone: field.timeZone,
  ...field.limits,
});

export const SpotFilter = object({
  owner_id: field.id("Only spots of this owner."),
  building_section: field.line(100, "Only spots of this section.", "North garage"),
  is_verified: field.flag("Only spots that are, or are not, verified."),
  ...page,
});
export const NewSpot = object(
  { spot_number: field.spotNumber, building_section: field.buildingSection },
  ["spot_number", "building_section"],
);
export const SpotChange = object({
  spot_number: field.spotNumber,
  building_section: field.buildingSection,
});
export const SpotVerification = object({
  is_verified: field.flag("Whether the spot is verified."),
});

export const AvailabilityFilter = object({
  spot_id: field.id("Only windows of this spot."),
  owner_id: field.id("Only windows of this owner's spots."),
  is_claimed: field.flag("Only windows that are, or are not, claimed."),
  building_section: field.line(100, "Only windows of spots of this section.", "North garage"),
  start_date: field.date(
    "Only windows that start at this time or later: not one that is already open then.",
    "2030-01-01",
  ),
  end_date: field.date("Only windows that end before this time.", "2030-02-01"),
  overlaps_start: field.date(
    "Only windows that end after this time: also one that is already open then. With overlaps_end, those that touch the period between.",
    "2030-01-01",
  ),
  overlaps_end: field.date("Only windows that start before this time.", "2030-01-02"),
  free_from: field.date(
    "Only windows that you could claim from this time on: open then, not claimed, and not of your own spots. With free_until, for the whole period between.",
    field.EXAMPLE_START,
  ),
  free_until: field.date("Only windows that you could claim until this time.", field.EXAMPLE_END),
  ...page,
});
export const NewAvailability = object(
  { spot_id: field.id("The spot to share."), start_time: startTime, end_time: endTime },
  ["spot_id", "start_time", "end_time"],
);
export const AvailabilityChange = object({ start_time: startTime, end_time: endTime });

export const ClaimFilter = object({
  claimer_id: field.id("Only claims by this resident."),
  spot_id: field.id("Only claims of this spot."),
  status: { ...field.claimStatus, description: "Only claims in this state." },
  start_date: field.date("Only claims that start at this time or later.", "2030-01-01"),
  end_date: field.date("Only claims that end before this time.", "2030-02-01"),
  ...page,
});
export const NewClaim = object(
  { availability_id: field.id("The window to claim."), start_time: startTime, end_time: endTime },
  ["availability_id", "start_time", "end_time"],
);
export const ClaimChange = object({
  status: field.claimStatus,
  start_time: startTime,
  end_time: endTime,
});

const reason = field.line(300, "Why; those concerned read it.", "The garage is being repaired");

/** What an administrator says when they remove what belongs to another. */
export const Removal = object({ reason }, ["reason"]);
export const ClaimCancellation = object(
  {
    status: {
      type: "string",
      enum: ["cancelled"],
      description: "An administrator can only cancel.",
      example: "cancelled",
    },
    reason,
  },
  ["status", "reason"],
);

const report = {
  from: field.day("The first day of the period, in the time zone of the building.", "2029-11-01"),
  until: field.day(
    "The first day after the period, which has 184 days at most: 2029-12-01 for a report until the end of November.",
    "2029-12-01",
  ),
  section: field.line(100, "Only spots of this section.", "North garage"),
  format: {
    type: "string",
    enum: ["json", "csv"],
    default: "json",
    description:
      "CSV is for spreadsheets: where one would run a text as a formula, an apostrophe stands before it.",
    example: "json",
  },
} as const satisfies Fields;

/** What every report takes. */
export const Report = object(report, ["from", "until"]);
export const ReportByStep = object(
  {
    ...report,
    step: {
      type: "string",
      enum: ["day", "week"],
      default: "day",
      description: "A row for each day, or for each week from Monday on.",
      example: "week",
    },
  },
  ["from", "until"],
);

export const NotificationFilter = object({
  is_read: field.flag("Only notifications that were, or were not, read."),
  ...page,
});
export const NotificationChange = object({
  is_read: field.flag("Whether the notification was read."),
});
