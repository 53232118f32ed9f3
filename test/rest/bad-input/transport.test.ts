import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { exchange, headOf } from "../../support/raw-socket.ts";
import { holdsForAll } from "../../support/table.ts";
import { putBytes, useTarget } from "./cases.ts";

const LARGEST = 100 * 1024;
const WRONG_TYPE = { status: 415, error: "The request body must be application/json" };
const COMPRESSED = { status: 415, error: "The request body must not be compressed" };
const WRONG_CHARSET = { status: 415, error: "The request body must be in UTF-8" };
const TOO_LARGE = { status: 413, error: "The request body is larger than 100 kB" };

const target = useTarget();

describe("the Content-Type of a body", () => {
  const putAs = (type: string) => putBytes(target, "{}", { "Content-Type": type });

  it("may be JSON with parameters, in UTF-8", () =>
    holdsForAll(
      [
        ...["application/json", "APPLICATION/JSON", "application/json; q=1; x=y"],
        ...["application/json; charset=utf-8", 'application/json;charset="UTF-8"'],
      ],
      async (type) => expect(await putAs(type)).toMatchObject({ status: 200 }),
    ));

  it("may not be another, nor missing", async () => {
    await holdsForAll(
      [
        ...["text/plain", "text/json", "application/x-www-form-urlencoded", "application/jsonp"],
        ...["multipart/form-data; boundary=x", "application/json5", "application/*", "*/*", "json"],
        ...["application/json, text/plain", "text/plain; application/json", ";"],
        "application/json charset=utf-8",
      ],
      async (type) => expect(await putAs(type)).toEqual(WRONG_TYPE),
    );
    expect(await putBytes(target, "{}", {})).toEqual(WRONG_TYPE);
  });

  it("may not have another charset: JSON is in UTF-8", () =>
    holdsForAll(["latin1", "iso-8859-1", "UTF-16", "us-ascii", "x"], async (charset) =>
      expect(await putAs(`application/json; charset=${charset}`)).toEqual(WRONG_CHARSET),
    ));
});

describe("the Content-Encoding of a body", () => {
  const headers = (encoding: string) => ({
    "Content-Type": "application/json",
    "Content-Encoding": encoding,
  });

  it("may be identity", async () => {
    expect((await putBytes(target, "{}", headers("identity"))).status).toBe(200);
  });

  it("may not be another", () =>
    holdsForAll(["gzip", "GZIP", "deflate", "br", "gzip, identity", "nonsense"], async (encoding) =>
      expect(await putBytes(target, new Uint8Array(gzipSync("{}")), headers(encoding))).toEqual(
        COMPRESSED,
      ),
    ));
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
