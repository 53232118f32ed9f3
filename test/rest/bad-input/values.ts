/** Invalid values, for each kind of field. */
import type { FieldSchema } from "../../../src/contract/fields.ts";
import { routes } from "../../../src/contract/routes.ts";
import { noLimits } from "../../support/limits.ts";

/** Values of every JSON type but a string. */
const noStrings: readonly unknown[] = [0, 1, -1, 1.5, 1e300, true, false, [], ["x"], {}, { x: 1 }];

const ID = "01912d68-783e-7a03-8467-5661c1243ad4";

/** Texts that are no ids, in a path or a query too. */
export const badUuids: readonly string[] = [
  "1",
  "x",
  "null",
  "undefined",
  ID.replaceAll("-", ""),
  ID.slice(1),
  `${ID}0`,
  `{${ID}}`,
  `urn:uuid:${ID}`,
  ID.replace("a", "g"),
  ID.replace("-", "–"),
  ID.replace("1", "１"),
  `${ID},${ID}`,
  `${ID}' or '1'='1`,
  ...[" ", "\t", "\u00a0", "\ufeff"].flatMap((space) => [`${space}${ID}`, `${ID}${space}`]),
];

/** Texts that are not times in RFC 3339, or not of the years 1 to 9999. */
export const badTimes: readonly string[] = [
  "now",
  "epoch",
  "infinity",
  "-infinity",
  "1890000000",
  "2030-06-01T10:00:00",
  "2030-06-01T10:00Z",
  "2030-06-01 10:00:00Z",
  "2030-6-1T10:00:00Z",
  "2030-06-01T24:00:00Z",
  "2030-06-01T23:59:60Z",
  "2030-00-01T10:00:00Z",
  "2030-06-31T10:00:00Z",
  "2030-02-29T10:00:00Z",
  "2100-02-29T10:00:00Z",
  "0000-06-01T10:00:00Z",
  "2030-06-01T10:00:00Z BC",
  "10000-06-01T10:00:00Z",
  "0001-01-01T00:00:00+00:01",
  "9999-12-31T23:59:59-00:01",
  "2030-06-01T10:00:00.Z",
  "2030-06-01T10:00:00.0123456789Z",
  `2030-06-01T10:00:00.${"1".repeat(500)}Z`,
  "2030-06-01T10:00:00+24:00",
  "2030-06-01T10:00:00+02:60",
  "2030-06-01T10:00:00+02",
  "2030-06-01T10:00:00+0200",
  "2030-06-01T10:00:00+02:00:00",
  "2030-06-01T10:00:00−02:00",
  "2030-06-01T10:00:00Europe/Berlin",
  "２030-06-01T10:00:00Z",
  "2030-06-01T10:00:00Z\u0000",
  ...[" ", "\t", "\u00a0", "\ufeff"].flatMap((space) => [
    `${space}2030-06-01T10:00:00Z`,
    `2030-06-01T10:00:00Z${space}`,
  ]),
];

/** A plain date is a time in a filter, and nowhere else. */
export const badDates: readonly string[] = [
  ...badTimes,
  "2030-02-29",
  "2030-06-31",
  "2030-13-01",
  "0000-01-01",
  "10000-01-01",
  "2030-06-01Z",
  "2030-06-01+02:00",
  "2030/06/01",
];

export const badBooleans: readonly string[] = ["TRUE", "True", "t", "yes", "on", "1", "0", "null"];

export const badIntegers: readonly string[] = [
  "-1",
  "-0",
  "+5",
  "1.0",
  "1.5",
  "1e2",
  "0x10",
  "5,0",
  "５",
  "NaN",
  "Infinity",
  "null",
  "ten",
  "9007199254740993",
  "99999999999999999999999999",
];

/** Characters that a text on one line may not have between its ends. */
const forbidden = [
  ...["\u0000", "\u0001", "\b", "\t", "\n", "\r", "\u001b", "\u007f", "\u0085", "\u009f"],
  ...["\u2028", "\u2029", "\ud800", "\udfff", "\udc00\ud800"],
];

export const badTexts = (longest: number): readonly string[] => [
  "x".repeat(longest + 1),
  "🚗".repeat(longest + 1),
  ...forbidden.map((character) => `x${character}x`),
  "x\u0000",
];

const badPhoneNumbers: readonly string[] = [
  "12",
  "1".repeat(33),
  "call me",
  "1234a",
  "123#",
  "１２３",
];

export type Kind =
  | "uuid"
  | "time"
  | "date"
  | "day"
  | "choice"
  | "boolean"
  | "status"
  | "phone"
  | "limit"
  | "count"
  | "array"
  | number;

/** The kind of every field; a number is the maximum length of a text on one line. */
export const kinds: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(
    routes
      .flatMap(({ query, body }) => Object.entries({ ...query?.properties, ...body?.properties }))
      .map(([name, field]) => [name, usualKindOf(field)]),
  ),
  phone_number: "phone",
  status: "status",
  gate_minutes: "count",
  passage_days: "count",
  ...Object.fromEntries(Object.keys(noLimits).map((limit) => [limit, "limit" as const])),
};

/** The kind of a field that has no line above. How long a text may be, the test of its rule says. */
function usualKindOf({ type, format, minimum, enum: words }: FieldSchema): Kind {
  if (type === "boolean") return "boolean";
  if (type === "array") return "array";
  if (type !== "string") return minimum === 0 ? "count" : "limit";
  if (words) return "choice";
  if (format === "uuid") return "uuid";
  if (format === "date-time") return "time";
  if (format === "date-or-date-time") return "date";
  return format === "date" ? "day" : 1_000;
}

/** Texts that a field of this kind refuses, wherever they are written. */
export function badTextsOf(kind: Kind | undefined): readonly string[] {
  switch (kind) {
    case "uuid":
      return badUuids;
    case "time":
      return [...badTimes, "2030-06-01"];
    case "date":
      return badDates;
    case "day":
      return [...badDates, "2030-06-01T10:00:00Z"];
    case "choice":
      return ["JSON", "Day", "xml", "json,csv", "null"];
    case "boolean":
      return badBooleans;
    case "status":
      return ["Active", "ACTIVE", "done", "canceled", "active,completed", "null"];
    case "phone":
      return badPhoneNumbers;
    case "limit":
    case "count":
      return badIntegers;
    case "array":
      return ["MO", "MO,TU", "{MO}", '["MO"]', "null"];
    case undefined:
      throw new Error("a field of an unknown kind");
    default:
      return badTexts(kind);
  }
}

/** Values that a field of this kind refuses in a body. */
export const badValuesOf = (kind: Kind | undefined): readonly unknown[] => [
  ...badTextsOf(kind),
  "",
  "   ",
  "\t\n",
  ...otherValuesOf(kind),
];

function otherValuesOf(kind: Kind | undefined): readonly unknown[] {
  if (kind === "count") return ["1", ...noStrings.filter((value) => value !== 0 && value !== 1)];
  if (kind === "limit") return ["1", ...noStrings.filter((value) => value !== 1)];
  // A refusal of what is in an array names its place.
  if (kind === "array") return noStrings.filter((value) => !Array.isArray(value));
  if (kind !== "boolean") return noStrings;
  return ["true", "false", ...noStrings.filter((value) => typeof value !== "boolean")];
}
