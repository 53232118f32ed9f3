import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { routes } from "../../../src/contract/routes.ts";
import { openTarget, putBytes, type Target } from "./cases.ts";

const LARGEST = 100 * 1024;
const NOT_JSON = { status: 400, error: "The request body is not valid JSON" };

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterEach(() => target.expectUntouched());
afterAll(() => target.building.close());

describe("a body that is not JSON is refused", () => {
  it.each([
    ["nothing but space", " \n"],
    ["a word", "hello"],
    ["a form", "apartment_number=1A"],
    ["an object without its end", '{"apartment_number":"1A"'],
    ["two objects", "{}{}"],
    ["a comma too many", '{"apartment_number":"1A",}'],
    ["single quotes", "{'apartment_number':'1A'}"],
    ["names without quotes", '{apartment_number:"1A"}'],
    ["a comment", "{} // nothing"],
    ["NaN", '{"apartment_number":NaN}'],
    ["a number in octal", '{"apartment_number":010}'],
    ["a line break in a text", '{"apartment_number":"1\nA"}'],
    ["half an escape", '{"apartment_number":"\\u00"}'],
    ["an unknown escape", '{"apartment_number":"\\x41"}'],
    ["two byte order marks", "\ufeff\ufeff{}"],
    ["a byte order mark inside", '{\ufeff"apartment_number":"1A"}'],
    ["arrays without an end", "[".repeat(LARGEST)],
  ])("%s", async (_what, body) => {
    expect(await putBytes(target, body)).toEqual(NOT_JSON);
  });

  it.each([
    ["a stray continuation byte", [0x80]],
    ["a character cut short", [0xc3]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["half of a surrogate pair", [0xed, 0xa0, 0x80]],
    ["a code point beyond the last", [0xf4, 0x90, 0x80, 0x80]],
    ["a letter in latin1", [0xe9]],
  ])("%s, which is no UTF-8", async (_what, bytes) => {
    const [start, end] = [Buffer.from('{"apartment_number":"1'), Buffer.from('"}')];
    const body = Buffer.concat([start, Buffer.from(bytes), end]);
    expect(await putBytes(target, new Uint8Array(body))).toEqual(NOT_JSON);
  });

  it("UTF-16", async () => {
    const body = new Uint8Array(Buffer.from('\ufeff{"apartment_number":"1A"}', "utf16le"));
    expect(await putBytes(target, body)).toEqual(NOT_JSON);
  });
});

describe("a body that is strange JSON is refused, and the field named", () => {
  it.each([
    ["a deep object", `${'{"apartment_number":'.repeat(4000)}1${"}".repeat(4000)}`],
    ["a deep array", `{"apartment_number":${"[".repeat(40_000)}${"]".repeat(40_000)}}`],
    ["a huge number", '{"apartment_number":1e999999}'],
    ["a long number", `{"apartment_number":${"9".repeat(50_000)}}`],
    ["a long text", `{"apartment_number":"${"9".repeat(90_000)}"}`],
    ["a NUL", '{"apartment_number":"1\\u0000A"}'],
    ["half of a surrogate pair", '{"apartment_number":"1\\ud800A"}'],
    ["the halves the wrong way round", '{"apartment_number":"\\udc00\\ud800"}'],
    ["the last of two values wrong", '{"apartment_number":"1A","apartment_number":1}'],
  ])("%s", async (_what, body) => {
    const { status, details } = await putBytes(target, body);
    expect({ status, fields: Object.keys(details ?? {}) }).toEqual({
      status: 400,
      fields: ["apartment_number"],
    });
  });
});

describe("a body that is strange JSON, and well-formed", () => {
  it("may begin with a byte order mark, which is ignored", async () => {
    expect((await putBytes(target, "\ufeff{}")).status).toBe(200);
  });

  it("has the last of two values", async () => {
    const route = routes.find(({ call }) => call === "update_claim");
    if (route === undefined) throw new Error("no route updates claims");
    const answer = await target.send(route, { body: '{"status":"completed","status":"active"}' });
    expect(answer).toMatchObject({ status: 200, body: { claim: { status: "active" } } });
  });

  it("is refused as usual at a depth of fifty thousand", async () => {
    expect(await putBytes(target, "[".repeat(50_000) + "]".repeat(50_000))).toEqual({
      status: 400,
      error: "The request body must be a JSON object",
    });
  });
});
