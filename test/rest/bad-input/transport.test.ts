import { once } from "node:events";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { connectTo, exchange, headOf } from "../../support/raw-socket.ts";
import { openTarget, putBytes, type Target } from "./cases.ts";

const LARGEST = 100 * 1024;
const WRONG_TYPE = { status: 415, error: "The request body must be application/json" };
const COMPRESSED = { status: 415, error: "The request body must not be compressed" };
const WRONG_CHARSET = { status: 415, error: "The request body must be in UTF-8" };
const TOO_LARGE = { status: 413, error: "The request body is larger than 100 kB" };

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterEach(() => target.expectUntouched());
afterAll(() => target.building.close());

describe("the Content-Type of a body", () => {
  it.each([
    "application/json",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "APPLICATION/JSON",
    "application/json; q=1; x=y",
  ])("may be %s", async (type) => {
    expect(await putBytes(target, "{}", { "Content-Type": type })).toMatchObject({ status: 200 });
  });

  it.each([
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "application/json5",
    "application/xml",
    "application/*",
    "*/*",
    "json",
    "application/json, text/plain",
    "text/plain; application/json",
    "application/json charset=utf-8",
    ";",
  ])("may not be %s", async (type) => {
    expect(await putBytes(target, "{}", { "Content-Type": type })).toEqual(WRONG_TYPE);
  });

  it("may not be missing", async () => {
    expect(await putBytes(target, "{}", {})).toEqual(WRONG_TYPE);
  });

  it.each(["latin1", "iso-8859-1", "UTF-16", "utf-16le", "us-ascii", "x"])(
    "may not have the charset %s: JSON is in UTF-8",
    async (charset) => {
      const headers = { "Content-Type": `application/json; charset=${charset}` };
      const body = new Uint8Array(Buffer.from('{"full_name":"José"}', "latin1"));
      expect(await putBytes(target, body, headers)).toEqual(WRONG_CHARSET);
      expect(await putBytes(target, "{}", headers)).toEqual(WRONG_CHARSET);
    },
  );
});

describe("the Content-Encoding of a body", () => {
  const headers = (encoding: string) => ({
    "Content-Type": "application/json",
    "Content-Encoding": encoding,
  });

  it("may be identity", async () => {
    expect((await putBytes(target, "{}", headers("identity"))).status).toBe(200);
  });

  it.each(["gzip", "GZIP", "deflate", "br", "zstd", "gzip, identity", "nonsense"])(
    "may not be %s",
    async (encoding) => {
      const body = new Uint8Array(gzipSync("{}"));
      expect(await putBytes(target, body, headers(encoding))).toEqual(COMPRESSED);
    },
  );
});

describe("the size of a body", () => {
  const ofSize = (size: number): string => "{}".padEnd(size);
  const chunked = (size: number): ReadableStream =>
    ReadableStream.from([new TextEncoder().encode(ofSize(size))]);

  it("may be 100 kB, with or without a Content-Length", async () => {
    expect((await putBytes(target, ofSize(LARGEST))).status).toBe(200);
    expect((await putBytes(target, chunked(LARGEST))).status).toBe(200);
  });

  it.each([LARGEST + 1, 10 * LARGEST])(
    "may not be %i, with or without a Content-Length",
    async (size) => {
      expect(await putBytes(target, ofSize(size))).toEqual(TOO_LARGE);
      expect(await putBytes(target, chunked(size))).toEqual(TOO_LARGE);
    },
  );

  it("counts bytes, not letters", async () => {
    expect(await putBytes(target, `{"full_name":"${"é".repeat(LARGEST / 2)}"}`)).toEqual(TOO_LARGE);
  });

  it("is refused for its Content-Length before it arrives", async () => {
    expect(await ask("PUT /api/profile", ["Content-Length: 5000000000"], "")).toEqual(["413"]);
  });
});

/** The statuses of the answers to this request, and to the valid one after it. */
const ask = async (line: string, headers: readonly string[], body: string): Promise<string[]> => {
  const answers = await exchange(
    target.building.service.origin,
    headOf(line, [
      `Authorization: Bearer ${target.person.token}`,
      "Content-Type: application/json",
      ...headers,
    ]) +
      body +
      headOf("GET /livez", ["Connection: close"]),
  );
  return [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => String(status));
};

describe("an incomplete body", () => {
  it.each([
    ["shorter than its Content-Length", ["Content-Length: 100"], '{"apartment_number":"9Z"}'],
    [
      "without the last chunk",
      ["Transfer-Encoding: chunked"],
      '19\r\n{"apartment_number":"9Z"}\r\n',
    ],
    ["within a chunk", ["Transfer-Encoding: chunked"], '99\r\n{"apartment_number":"9Z"}'],
  ])("%s: changes nothing, and is no 5xx", async (_how, headers, body) => {
    const { building, person } = target;
    const socket = await connectTo(building.service.origin);
    let answer = "";
    socket.setEncoding("utf8").on("data", (text) => {
      answer += text;
    });
    const head = headOf("PUT /api/profile", [
      `Authorization: Bearer ${person.token}`,
      "Content-Type: application/json",
      ...headers,
    ]);
    socket.end(head + body);
    await once(socket, "close");
    expect(answer).not.toMatch(/^HTTP\/1.1 [25]/);
  });
});

describe("a request that proxies could read differently", () => {
  it.each([
    ["a body longer than its Content-Length", ["Content-Length: 2"], '{}{"apartment_number":"9Z"}'],
    ["two lengths", ["Content-Length: 2", "Content-Length: 27"], '{}{"apartment_number":"9Z"}'],
    ["a length and chunks", ["Content-Length: 2", "Transfer-Encoding: chunked"], "0\r\n\r\n"],
    ["a length that is not a number", ["Content-Length: 0x2"], "{}"],
    ["a negative length", ["Content-Length: -2"], "{}"],
    ["chunks of no size", ["Transfer-Encoding: chunked"], "zz\r\n{}\r\n0\r\n\r\n"],
    ["an unknown transfer encoding", ["Transfer-Encoding: rot13"], "{}"],
    ["a space before a colon", ["Content-Length : 2"], "{}"],
    ["a NUL in a header", ["X-Nothing: a\0b", "Content-Length: 2"], "{}"],
    ["a folded header", ["X-Nothing: a\r\n b", "Content-Length: 2"], "{}"],
    ["no name for a header", [": nothing", "Content-Length: 2"], "{}"],
  ])("%s: ends in a refusal, and nothing after it is read", async (_what, headers, body) => {
    const statuses = await ask("PUT /api/profile", headers, body);
    expect([["400"], ["200", "400"]]).toContainEqual(statuses);
  });
});

describe("a body on a request that needs none", () => {
  it.each([
    ["GET /api/profile", "200"],
    ["GET /api/claims", "200"],
    ["DELETE /api/claims/01912d68-783e-7a03-8467-5661c1243ad4", "404"],
  ])("%s: is not looked at, nor taken for the next request", async (line, status) => {
    for (const body of ["{not json", headOf("GET /livez", []), "x".repeat(2 * LARGEST)]) {
      expect(await ask(line, [`Content-Length: ${body.length}`], body)).toEqual([status, "200"]);
    }
  });
});

describe("a request without its optional body", () => {
  it("is one without fields, with a Content-Type", async () => {
    expect(await ask("PUT /api/profile", ["Content-Length: 0"], "")).toEqual(["200", "200"]);
    expect(await ask("PUT /api/profile", [], "")).toEqual(["200", "200"]);
    expect(await ask("POST /api/profile", [], "")).toEqual(["400", "200"]);
  });

  it("is one without fields, without a Content-Type, as fetch() sends it", async () => {
    expect(await putBytes(target, "", {})).toMatchObject({ status: 200 });
  });
});
