import { ONE_LINE } from "../one-line.ts";

/**
 * The fields of requests and responses alike, as JSON Schemas in the dialect of OpenAPI 3.0. The
 * same limits hold in the database (`sql/<thing>/rules`).
 */
export interface FieldSchema {
  readonly type: "string" | "boolean" | "integer" | "number";
  readonly description: string;
  readonly format?: "uuid" | "date" | "date-time" | "date-or-date-time" | "email";
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number | string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  /** In a request, `null` clears the field. */
  readonly nullable?: true;
  readonly example: string | boolean | number;
}

export const line = (maxLength: number, description: string, example: string): FieldSchema => ({
  type: "string",
  minLength: 1,
  maxLength,
  pattern: ONE_LINE,
  description,
  example,
});

/** A time as clients write it. */
export const time = (description: string, example: string): FieldSchema => ({
  type: "string",
  format: "date-time",
  description,
  example,
});

/** A time as the service writes it: in UTC with milliseconds, as toISOString() does. */
export const moment = (description: string, example = "2029-11-20T17:00:00.000Z"): FieldSchema => ({
  ...time(description, example),
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
});

export const date = (description: string, example: string): FieldSchema => ({
  type: "string",
  format: "date-or-date-time",
  description: `${description} A plain date is its midnight in UTC.`,
  example,
});

/** A day without a time. */
export const day = (description: string, example: string): FieldSchema => ({
  type: "string",
  format: "date",
  description,
  example,
});

export const flag = (description: string, example = true): FieldSchema => ({
  type: "boolean",
  description,
  example,
});

export const id = (description: string): FieldSchema => ({
  type: "string",
  format: "uuid",
  description,
  example: "0197e2b0-6f1e-7c3a-9d52-5b8f0a1c2d3e",
});

export const count = (description: string): FieldSchema => ({
  type: "integer",
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description,
  example: 1,
});

export const nullable = (field: FieldSchema): FieldSchema => ({ ...field, nullable: true });

export const spotNumber = line(32, "The number on the ground; unique in the building.", "A-101");
export const buildingSection = line(100, "Section or location description.", "North garage");
export const apartmentNumber = line(32, "The resident's apartment.", "2B");
export const fullName = line(200, "The resident's name.", "Maria Silva");
export const phoneNumber: FieldSchema = {
  type: "string",
  minLength: 3,
  maxLength: 32,
  pattern: "^[-0-9 +().\\/]*$",
  description: "Digits, spaces and +().-/",
  example: "+49 30 1234567",
};
export const sharesPhoneNumber: FieldSchema = flag(
  "Whether those with whom the resident shares a claim see the phone number.",
);
export const buildingName = line(100, "What people call the building.", "Lindenhof 5");
export const timeZone: FieldSchema = {
  type: "string",
  minLength: 1,
  maxLength: 64,
  pattern: "^[A-Za-z0-9_+/-]+$",
  description: "The time zone of notifications and reports, by its IANA name. The API is in UTC.",
  example: "Europe/Berlin",
};

const limitUpTo =
  (maximum: number) =>
  (description: string, example: number): FieldSchema => ({
    type: "integer",
    minimum: 1,
    maximum,
    nullable: true,
    description: `${description} Null: no limit.`,
    example,
  });
const days = limitUpTo(36_500);
const minutes = limitUpTo(525_600);

/** What a building may limit (sql/building). */
export const limits: Readonly<Record<string, FieldSchema>> = {
  longest_window_days: days("How long a window may last, in calendar days.", 14),
  horizon_days: days("How far ahead windows and claims may end, in calendar days.", 90),
  shortest_claim_minutes: minutes("How long a claim lasts at least.", 30),
  longest_claim_minutes: minutes("How long a claim lasts at most.", 4_320),
  claim_notice_minutes: minutes("How long before its start a claim is made at the latest.", 15),
  cancellation_cutoff_minutes: minutes(
    "How long before its start a claim can be cancelled, deleted or moved at the latest.",
    60,
  ),
  most_active_claims: limitUpTo(1_000)(
    "How many claims that have not ended a resident may have, completed ones included.",
    6,
  ),
};

export const claimStatus: FieldSchema = {
  type: "string",
  enum: ["active", "completed", "cancelled"],
  description: "The state of the claim.",
  example: "active",
};

export const limit = {
  type: "integer",
  minimum: 1,
  maximum: 200,
  default: 50,
  description: "Maximum number returned.",
  example: 20,
} as const satisfies FieldSchema;
export const offset = {
  type: "integer",
  minimum: 0,
  maximum: 1_000_000,
  default: 0,
  description: "Number skipped.",
  example: 0,
} as const satisfies FieldSchema;

export const EXAMPLE_START = "2030-01-01T10:00:00.000Z";
export const EXAMPLE_END = "2030-01-01T12:00:00.000Z";
