import { describe, expect, it } from "@jest/globals";
import * as field from "../../src/contract/fields.ts";
import { resource } from "../../src/contract/schemas.ts";
import { moment, rowWriter } from "../../src/rest/json.ts";

const thing = resource("Thing", "A thing.", {
  id: field.id("The thing."),
  name: field.nullable(field.text("Ada")),
  is_new: field.flag("Whether it is new."),
  pieces: field.count("How many."),
  made_at: field.moment(),
});
const id = "0197e2b0-6f1e-7c3a-9d52-5b8f0a1c2d3e";
const write = rowWriter(thing);
const withName = (name: string | null) => write([id, name, "f", "0", "2026-11-21 17:00:00+00"]);

describe("a row", () => {
  it("becomes the resource whose properties are its columns", () => {
    expect(JSON.parse(write([id, "Ada", "t", "12", "2026-11-21 17:00:00.5+00"]))).toEqual({
      id,
      name: "Ada",
      is_new: true,
      pieces: 12,
      made_at: "2026-11-21T17:00:00.500Z",
    });
  });

  it("begins at the column that is given", () => {
    const row = ["99", id, null, "f", "0", "2026-11-21 17:00:00+00"];
    expect(rowWriter(thing, 1)(row)).toBe(withName(null));
  });

  it.each([
    ["a quote and a backslash", '"\\'],
    ["control characters", "\u0000\u0001\n\r\t\u001f\u007f"],
    ["line separators", "\u2028\u2029"],
    ["a pair of surrogates", "\u{1f697}"],
    ["half a pair", "\ud83d"],
    ["markup", "</script><!--"],
    ["the words of JSON", "null"],
    ["nothing", ""],
  ])("keeps %s in a text", (_what, name) => {
    expect(JSON.parse(withName(name)).name).toBe(name);
  });

  it("has null where there is no value", () => {
    expect(JSON.parse(withName(null)).name).toBeNull();
  });
});

describe("a time", () => {
  it.each([
    ["2026-11-21 17:00:00+00", "2026-11-21T17:00:00.000Z"],
    ["2026-11-21 17:00:00.5+00", "2026-11-21T17:00:00.500Z"],
    ["2026-11-21 17:00:00.05+00", "2026-11-21T17:00:00.050Z"],
    ["2026-11-21 17:00:00.123+00", "2026-11-21T17:00:00.123Z"],
    ["0001-01-01 00:00:00.001+00", "0001-01-01T00:00:00.001Z"],
    ["9999-12-31 23:59:59.999+00", "9999-12-31T23:59:59.999Z"],
    ["2026-11-21 18:00:00.5+01", "2026-11-21T17:00:00.500Z"],
    ["2026-11-21 11:30:00.123-05:30", "2026-11-21T17:00:00.123Z"],
  ])("%s is written %s", (text, written) => {
    expect(JSON.parse(moment(text))).toBe(written);
    expect(new Date(written).toISOString()).toBe(written);
  });

  it.each([
    "1890-01-01 00:53:28+00:53:28",
    "2026-11-21 17:00:00",
    "Sat Nov 21 17:00:00 2026 UTC",
    "11/21/2026 17:00:00 UTC",
    "21.11.2026 17:00:00+00",
    "0044-03-15 12:00:00+00 BC",
    "10000-01-01 00:00:00+00",
    "2026-11-21 17:00:00.123456+00",
    "infinity",
    "",
  ])("%j is refused, and not shifted", (text) => {
    expect(() => moment(text)).toThrow("the style ISO");
  });
});
