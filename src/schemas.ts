/**
 * What requests may carry, as JSON Schemas in the dialect of OpenAPI 3.0: Ajv validates with them
 * and the description of the API shows them. The same limits hold in the database (the rules.sql files below sql).
 */
export interface FieldSchema {
  readonly type: "string" | "boolean" | "integer";
  readonly description: string;
  readonly format?: "uuid" | "date-time" | "date-or-date-time";
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  /** `null` clears the field. */
  readonly nullable?: true;
  readonly example?: string | boolean | number;
}

export interface ObjectSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

type Fields = Readonly<Record<string, FieldSchema>>;

const object = (properties: Fields, required: readonly string[] = []): ObjectSchema => ({
  type: "object",
  properties,
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
});

/** No control characters, line separators or halves of characters. */
const oneLine = "^[^\\p{Cc}\\p{Cs}\\u2028\\u2029]*$";

const line = (maxLength: number, description: string, example: string): FieldSchema => ({
  type: "string",
  minLength: 1,
  maxLength,
  pattern: oneLine,
  description,
  example,
});
const time = (description: string, example: string): FieldSchema => ({
  type: "string",
  format: "date-time",
  description,
  example,
});
const date = (description: string): FieldSchema => ({
  type: "string",
  format: "date-or-date-time",
  description,
  example: "2027-01-01",
});
const flag = (description: string): FieldSchema => ({ type: "boolean", description });
const id = (description: string): FieldSchema => ({ type: "string", format: "uuid", description });

const spotNumber = line(32, "The number on the ground; unique in the building.", "A-101");
const buildingSection = line(100, "Section or location description.", "North garage");
const apartmentNumber = line(32, "The resident's apartment.", "2B");
const fullName = line(200, "The resident's name.", "Maria Silva");
const phoneNumber: FieldSchema = {
  type: "string",
  minLength: 3,
  maxLength: 32,
  pattern: "^[-0-9 +().\\/]*$",
  description: "Digits, spaces and +().-/",
  example: "+49 30 1234567",
};
const startTime = time("RFC 3339 with an offset; in the future.", "2027-01-01T10:00:00.000Z");
const endTime = time("RFC 3339 with an offset; after start_time.", "2027-01-01T12:00:00.000Z");
const status: FieldSchema = {
  type: "string",
  enum: ["active", "completed", "cancelled"],
  description: "The state of the claim.",
};

const page = {
  limit: {
    type: "integer",
    minimum: 1,
    maximum: 200,
    default: 50,
    description: "Maximum number returned.",
  },
  offset: {
    type: "integer",
    minimum: 0,
    maximum: 1_000_000,
    default: 0,
    description: "Number skipped.",
  },
} as const satisfies Fields;

/** The one parameter of paths with `{id}`. */
export const PathId = object({ id: id("The id of the resource.") }, ["id"]);
export const Nothing = object({});

export const NewProfile = object(
  { apartment_number: apartmentNumber, full_name: fullName, phone_number: phoneNumber },
  ["apartment_number"],
);
export const ProfileChange = object({
  apartment_number: apartmentNumber,
  full_name: { ...fullName, nullable: true },
  phone_number: { ...phoneNumber, nullable: true },
});
export const ProfileFilter = object({
  is_approved: flag("Only accounts that are, or are not, approved."),
  is_admin: flag("Only administrators, or only others."),
  ...page,
});
export const ProfileFlags = object({
  is_approved: flag("Whether the account is approved."),
  is_admin: flag("Whether the account has administrator privileges."),
});

export const SpotFilter = object({
  owner_id: id("Only spots of this owner."),
  building_section: line(100, "Only spots of this section.", "North garage"),
  is_verified: flag("Only spots that are, or are not, verified."),
  ...page,
});
export const NewSpot = object({ spot_number: spotNumber, building_section: buildingSection }, [
  "spot_number",
  "building_section",
]);
export const SpotChange = object({ spot_number: spotNumber, building_section: buildingSection });
export const SpotVerification = object({ is_verified: flag("Whether the spot is verified.") });

export const AvailabilityFilter = object({
  spot_id: id("Only windows of this spot."),
  owner_id: id("Only windows of this owner's spots."),
  is_claimed: flag("Only windows that are, or are not, claimed."),
  start_date: date("Only windows that start at this time or later."),
  end_date: date("Only windows that end at this time or earlier."),
  ...page,
});
export const NewAvailability = object(
  { spot_id: id("The spot to share."), start_time: startTime, end_time: endTime },
  ["spot_id", "start_time", "end_time"],
);
export const AvailabilityChange = object({ start_time: startTime, end_time: endTime });

export const ClaimFilter = object({
  claimer_id: id("Only claims by this resident."),
  spot_id: id("Only claims of this spot."),
  status,
  start_date: date("Only claims that start at this time or later."),
  end_date: date("Only claims that end at this time or earlier."),
  ...page,
});
export const NewClaim = object(
  { availability_id: id("The window to claim."), start_time: startTime, end_time: endTime },
  ["availability_id", "start_time", "end_time"],
);
export const ClaimChange = object({ status, start_time: startTime, end_time: endTime });

export const NotificationFilter = object({
  is_read: flag("Only notifications that were, or were not, read."),
  ...page,
});
export const NotificationChange = object({ is_read: flag("Whether the notification was read.") });
