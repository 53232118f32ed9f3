import { isJsonObject, type JsonObject } from "../formats.ts";

/** Refuses what is not UTF-8. A byte order mark is kept, so that JSON.parse refuses it. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export const decodeUtf8 = (bytes: Uint8Array): string => utf8.decode(bytes);

/**
 * Parses one JSON object. A member written twice is refused: parsers differ on which of the two
 * counts, and a token must not mean two things (RFC 7515, 4; RFC 7519, 4).
 */
export function parseJsonObject(json: string): JsonObject {
  const value = parse(json);
  if (!isJsonObject(value)) throw new Error("it is not an object");
  if (membersKept(value) !== membersWritten(json)) throw new Error("a member occurs twice");
  return value;
}

/** JSON.parse quotes the text in its error, and the text of a token must not reach the log. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error("it is not JSON");
  }
}

/** Valid JSON has one colon for each member, and others only inside its strings. */
function membersWritten(json: string): number {
  const withoutStrings = json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, "");
  return withoutStrings.split(":").length - 1;
}

/** The members that are left after JSON.parse, which keeps one of two with the same name. */
function membersKept(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = isJsonObject(value) ? Object.keys(value).length : 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + membersKept(inner), own);
}
