/** The formats of strings in requests and tokens. They are stricter than PostgreSQL. */

/** A JSON object, whose members are not yet checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

// RFC 3339, section 5.6. There is no year 0000; 24:00 and leap seconds are refused.
const DATE = String.raw`(?!0000)(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
const TIME = String.raw`([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?`;
const OFFSET = String.raw`(Z|[+-]([01]\d|2[0-3]):[0-5]\d)`;
const PLAIN_DATE = new RegExp(`^${DATE}$`);
const DATE_TIME = new RegExp(`^${DATE}T${TIME}${OFFSET}$`, "i");

/** The pattern allows 31 days in every month. The calendar decides about the last days. */
function isDayOfMonth([, year, month, day]: RegExpExecArray): boolean {
  const lastDay = new Date(Date.UTC(2000, Number(month), 0));
  lastDay.setUTCFullYear(Number(year), Number(month), 0);
  return Number(day) <= lastDay.getUTCDate();
}

const matches = (pattern: RegExp, value: string): boolean => {
  const match = pattern.exec(value);
  return match !== null && isDayOfMonth(match);
};

/** An offset can move a time out of the years 1 to 9999, which PostgreSQL formats differently. */
const isInYearsOneTo9999 = (value: string): boolean => {
  const year = new Date(value).getUTCFullYear();
  return year >= 1 && year <= 9999;
};

/** One @ between two parts without spaces. */
const EMAIL = /^[^@\s]+@[^@\s]+$/;
/** It contains at least the characters of private.invisible_characters(); a test compares them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u1680\u2800]/u;

/** The database has the same limit: sql/users/rules/users_email_is_an_address.sql. */
export const MAX_EMAIL_LENGTH = 320;

/** The longest text that each format accepts. */
export const longest = {
  uuid: 36,
  date: 10,
  "date-time": 35, // 2030-01-01T10:00:00.123456789+01:00
  email: MAX_EMAIL_LENGTH,
} as const;

export const isEmail = (value: string): boolean =>
  value.length <= MAX_EMAIL_LENGTH && EMAIL.test(value) && !INVISIBLE.test(value);
/** A text that people can read in one line, as private.is_one_line has it. */
export const isOneLine = (value: string, most: number): boolean =>
  value.length >= 1 && value.length <= most && value.trim() === value && !INVISIBLE.test(value);
/** An address that can receive mail: it has a domain, and no quotes, comments or lists. */
export const isMailbox = (value: string): boolean =>
  isEmail(value) && /^[^@<>()[\]\\",:;]+@[^@<>()[\]\\",:;]+\.[^@<>()[\]\\",:;.]+$/.test(value);
export const isUuid = (value: string): boolean => UUID.test(value);
export const isDateTime = (value: string): boolean =>
  matches(DATE_TIME, value) && isInYearsOneTo9999(value);
export const isDate = (value: string): boolean => matches(PLAIN_DATE, value);
export const isDateOrDateTime = (value: string): boolean => isDate(value) || isDateTime(value);
