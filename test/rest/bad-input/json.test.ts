import { describe, expect, it } from "@jest/globals";
import { routes } from "../../../src/contract/routes.ts";
import { holdsForAll } from "../../support/table.ts";
import { putBytes, useTarget } from "./cases.ts";

const LARGEST = 100 * 1024;
const NOT_JSON = { status: 400, error: "The request body is not valid JSON" };

const target = useTarget();

const withBytes = (...bytes: number[]) =>
  new Uint8Array(
    Buffer.concat([Buffer.from('{"apartment_number":"1'), Buffer.from(bytes), Buffer.from('"}')]),
  );

describe("a body", () => {
  it("is refused where it is not JSON", () =>
    holdsForAll(
      [
        ...[" \n", "hello", "apartment_number=1A", '{"apartment_number":"1A"', "{}{}", "{} // x"],
        ...['{"apartment_number":"1A",}', "{'apartment_number':'1A'}", '{apartment_number:"1A"}'],
        ...['{"apartment_number":NaN}', '{"apartment_number":010}', '{"apartment_number":"1\nA"}'],
        ...['{"apartment_number":"\\u00"}', '{"apartment_number":"\\x41"}', "\ufeff\ufeff{}"],
        ...['{\ufeff"apartment_number":"1A"}', "[".repeat(LARGEST)],
      ],
      async (body) => expect(await putBytes(target, body)).toEqual(NOT_JSON),
    ));

  it("is refused where it is not UTF-8", () =>
    holdsForAll(
      [
        withBytes(0x80), // a stray continuation byte
        withBytes(0xc3), // a character cut short
        withBytes(0xc0, 0xaf), // an overlong slash
        withBytes(0xed, 0xa0, 0x80), // half of a surrogate pair
        withBytes(0xf4, 0x90, 0x80, 0x80), // a code point beyond the last
        withBytes(0xe9), // a letter in latin1
        new Uint8Array(Buffer.from('\ufeff{"apartment_number":"1A"}', "utf16le")),
      ],
      async (body) => expect(await putBytes(target, body)).toEqual(NOT_JSON),
    ));

  it("is refused for a strange value, and the field named", () =>
    holdsForAll(
      [
        `${'{"apartment_number":'.repeat(4000)}1${"}".repeat(4000)}`,
        `{"apartment_number":${"[".repeat(40_000)}${"]".repeat(40_000)}}`,
        '{"apartment_number":1e999999}',
        `{"apartment_number":${"9".repeat(50_000)}}`,
        `{"apartment_number":"${"9".repeat(90_000)}"}`,
        '{"apartment_number":"1\\u0000A"}',
        '{"apartment_number":"1\\ud800A"}',
        '{"apartment_number":"\\udc00\\ud800"}',
        '{"apartment_number":"1A","apartment_number":1}',
      ],
      async (body) => {
        const { status, details = {} } = await putBytes(target, body);
        expect([status, ...Object.keys(details)]).toEqual([400, "apartment_number"]);
      },
    ));

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
